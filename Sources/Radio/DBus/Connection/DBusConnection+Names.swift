extension DBusConnection {
    /// The unique name of a name's owner; nil if there is none.
    public func owner(of name: String) async throws -> String? {
        do {
            return try await call(.bus("GetNameOwner", .string(name))).first?.text
        } catch let error as DBusError where error.name == DBusErrorName.nameHasNoOwner {
            return nil
        }
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
