import Synchronization

/// Events in the monitor. A slow reader misses the oldest events and delays nothing.
public final class MonitorEvents: Sendable {
    /// Something that happened, for lamps and bells of the venue.
    public struct Event: Hashable, Sendable {
        /// One word, as in `visit-began`.
        public let kind: String
        /// Names and texts; only what the venue may see.
        public let details: [String: String]
    }

    /// The number of the last reader, and the readers by their numbers.
    private let listeners = Mutex((next: 0, streams: [Int: AsyncStream<Event>.Continuation]()))

    public init() {}

    /// Sends an event to all readers.
    ///
    /// - Parameters:
    ///   - kind: one word, as in `visit-began`.
    ///   - details: only what the venue may see.
    public func send(_ kind: String, _ details: [String: String] = [:]) {
        let event = Event(kind: kind, details: details)
        for stream in listeners.withLock({ Array($0.streams.values) }) { stream.yield(event) }
    }

    /// All events from now on, of which a slow reader misses all but the newest 64.
    public func stream() -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(64))
        let id = listeners.withLock { listeners in
            listeners.next += 1
            listeners.streams[listeners.next] = continuation
            return listeners.next
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.listeners.withLock { $0.streams.removeValue(forKey: id) }
        }
        return stream
    }
}
