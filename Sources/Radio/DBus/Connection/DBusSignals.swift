import Synchronization

/// A signal with its arguments as values.
public struct DBusSignal: Hashable, Sendable {
    /// The sender's unique name.
    public let sender: String
    public let path: String
    public let interface: String
    public let member: String
    public let arguments: [DBusValue]

    init(_ message: DBusMessage) throws(DBusError) {
        sender = message.sender
        path = message.path
        interface = message.interface
        member = message.member
        arguments = try message.decodedArguments()
    }
}

/// An async sequence of signals that is also their registration. Only one task may iterate it.
///
/// The sequence does not end by itself: it throws ``DBusError/disconnected(reason:)`` when the bus connection is lost.
/// A cancelled task gets nil.
public final class DBusSignals: AsyncSequence, Sendable {
    private let buffer: SignalBuffer
    private let subscription: DBusSubscription

    init(buffer: SignalBuffer, subscription: DBusSubscription) {
        self.buffer = buffer
        self.subscription = subscription
    }

    /// Signals that were dropped since the start because the reader was too slow.
    public var dropped: Int { buffer.dropped }

    public func makeAsyncIterator() -> Iterator { Iterator(signals: self) }

    public struct Iterator: AsyncIteratorProtocol {
        // Also holds the registration.
        fileprivate let signals: DBusSignals

        public mutating func next() async throws -> DBusSignal? {
            try await signals.buffer.next()
        }
    }
}

/// A bounded buffer between the connection's queue and one reading task. When it is full, the oldest signals are
/// dropped.
final class SignalBuffer: Sendable {
    private let stream: AsyncThrowingStream<DBusSignal, any Error>
    private let continuation: AsyncThrowingStream<DBusSignal, any Error>.Continuation
    private let droppedCount = Atomic(0)

    init(limit: Int) {
        (stream, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingNewest(max(1, limit)))
    }

    var dropped: Int { droppedCount.load(ordering: .relaxed) }

    func append(_ signal: Result<DBusSignal, any Error>) {
        // Signals whose arguments cannot be decoded also count as dropped.
        guard case .success(let signal) = signal, case .enqueued = continuation.yield(signal) else {
            droppedCount.add(1, ordering: .relaxed)
            return
        }
    }

    func fail(_ reason: DBusError) {
        continuation.finish(throwing: reason)
    }

    /// All iterators of a stream share its buffer.
    func next() async throws -> DBusSignal? {
        var iterator = stream.makeAsyncIterator()
        return try await iterator.next()
    }
}
