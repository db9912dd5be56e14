extension DBusConnection {
    /// The unique name of a name's owner; nil if there is none.
    public func owner(of name: String) async throws -> String? {
        do {
            return try await call(.bus("GetNameOwner", .string(name))).first?.text
        } catch let error as DBusError where error.name == DBusErrorName.nameHasNoOwner {
            return nil
        }
    }

    /// Requests a well-known name for the lifetime of the connection.
    ///
    /// - Throws: ``DBusError/nameTaken(_:)`` if another connection owns it.
    public func requestName(_ name: String) async throws {
        let doNotQueue = DBusValue.uint32(0x4)
        let answer = try await call(.bus("RequestName", .string(name), doNotQueue)).first?.integer
        // 1: this connection now owns the name; 4: it already owned it (D-Bus Specification, RequestName).
        guard answer == 1 || answer == 4 else { throw DBusError.nameTaken(name) }
    }

    public func releaseName(_ name: String) async throws {
        try await call(.bus("ReleaseName", .string(name)))
    }

    /// The owner of a name: the current owner, then each change; nil if there is none.
    ///
    /// It throws when the bus connection is lost.
    public func owners(of name: String) async throws -> AsyncThrowingStream<String?, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: String?.self, bufferingPolicy: .bufferingNewest(64)
        )
        // The reply to GetNameOwner is read on the queue, in order with the changes around it.
        let subscription = try await observe(
            .owner(of: name),
            onEnd: { continuation.finish(throwing: $0) },
            onSignal: { message in
                var reader = message.arguments
                guard reader.next(), reader.next(), let owner = reader.text else { return }
                continuation.yield(owner.isEmpty ? nil : owner)
            }
        )
        continuation.onTermination = { _ in withExtendedLifetime(subscription) {} }
        link.send(.bus("GetNameOwner", .string(name)), limit: Self.defaultTimeout, token: link.token()) { outcome in
            switch outcome {
            case .success(let message): continuation.yield(message.arguments.text)
            case .failure(let error as DBusError) where error.name == DBusErrorName.nameHasNoOwner:
                continuation.yield(nil)
            case .failure(let error): continuation.finish(throwing: error)
            }
        }
        return stream
    }
}
