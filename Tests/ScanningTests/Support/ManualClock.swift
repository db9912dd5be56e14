import Synchronization

/// A clock on which sleeping takes no time: it jumps to the deadline and notes it.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let state = Mutex<(now: Duration, deadlines: [Duration])>((.zero, []))

    var now: Instant { state.withLock { Instant(offset: $0.now) } }
    var minimumResolution: Duration { .nanoseconds(1) }
    /// When sleepers wanted to be woken, in the order of their sleeps.
    var deadlines: [Duration] { state.withLock(\.deadlines) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        state.withLock {
            $0.deadlines.append(deadline.offset)
            $0.now = max($0.now, deadline.offset)
        }
    }
}
