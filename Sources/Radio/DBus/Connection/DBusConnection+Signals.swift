extension DBusConnection {
    /// Calls `onSignal` with each matching signal, in place and on the connection's queue, for the lifetime of the
    /// returned handle.
    ///
    /// Use this for thousands of signals a second: it wakes no task and copies nothing. `onSignal` must return quickly
    /// and must not keep the message. `onEnd` is called once if the bus connection is lost.
    public func observe(
        _ match: DBusMatch,
        onEnd: @escaping @Sendable (DBusError) -> Void = { _ in },
        onSignal: @escaping @Sendable (DBusMessage) -> Void
    ) async throws -> DBusSubscription {
        let subscription = try link.subscribe(match, onSignal: onSignal, onEnd: onEnd)
        let handle = DBusSubscription(connection: self, token: subscription.token)
        if let name = match.sender, subscription.followsOwner { try await follow(name) }
        try await call(.bus("AddMatch", .string(subscription.rule)))
        return handle
    }

    /// Keeps the unique name of a well-known name's owner, from which its signals come, up to date.
    private func follow(_ name: String) async throws {
        try await call(.bus("AddMatch", .string(DBusMatch.owner(of: name).rule())))
        // Its reply arrives in order with the changes around it.
        let token = link.token()
        await withCheckedContinuation { continuation in
            link.send(.bus("GetNameOwner", .string(name)), limit: Self.defaultTimeout, token: token) { [link] outcome in
                let answer = try? outcome.get().arguments.text
                link.setOwner(of: name, answer)
                continuation.resume()
            }
        }
    }

    /// A sequence of the matching signals, registered for the sequence's lifetime.
    ///
    /// - Parameter limit: the maximum number of buffered signals; beyond it, the oldest are dropped and counted.
    public func signals(matching match: DBusMatch, limit: Int = 256) async throws -> DBusSignals {
        let buffer = SignalBuffer(limit: limit)
        let subscription = try await observe(match, onEnd: buffer.fail) { message in
            buffer.append(Result { try DBusSignal(message) })
        }
        return DBusSignals(buffer: buffer, subscription: subscription)
    }
}

/// A registration for signals, valid for the lifetime of this handle.
public final class DBusSubscription: Sendable {
    private let connection: DBusConnection
    private let token: UInt64

    init(connection: DBusConnection, token: UInt64) {
        self.connection = connection
        self.token = token
    }

    deinit { connection.later { [token] in $0.unsubscribe(token) } }
}
