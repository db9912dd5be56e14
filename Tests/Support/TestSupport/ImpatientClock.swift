import Synchronization

/// A clock whose sleeps end immediately: its time advances by the length of each sleep, and all sleeps are recorded.
public final class ImpatientClock: Clock, Sendable {
    public struct Instant: InstantProtocol {
        public let offset: Duration
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let state = Mutex((now: Duration.zero, sleeps: [Duration](), deadlines: [Duration]()))
    private let limit: Int

    /// - Parameter limit: the number of sleeps after which a sleep throws `CancellationError`, to end an endless loop.
    public init(limit: Int = .max) {
        self.limit = limit
    }

    public var now: Instant { state.withLock { Instant(offset: $0.now) } }
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The deadline of each sleep, as time since the clock was made.
    public var deadlines: [Duration] { state.withLock(\.deadlines) }

    /// The length of each sleep so far.
    public var sleeps: [Duration] { state.withLock { $0.sleeps } }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let isOver = state.withLock { state in
            state.sleeps.append(deadline.offset - state.now)
            state.deadlines.append(deadline.offset)
            state.now = max(state.now, deadline.offset)
            return state.sleeps.count >= limit
        }
        if isOver { throw CancellationError() }
        await Task.yield()
    }
}
