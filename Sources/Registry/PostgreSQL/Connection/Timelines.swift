import Synchronization

/// The highest timeline that this process has seen on a primary; shared by its pools and listeners.
///
/// Each promotion of a standby begins a new timeline. A primary with an older one was replaced, even if it is still
/// running or has been started again, so it is never used.
package final class Timelines: Sendable {
    private struct State {
        var highest: UInt32 = 0
        /// The time when a primary with this timeline was last queried.
        var confirmed = ContinuousClock.now
        /// How long a confirmation is valid; nil for ever.
        var limit: Duration?
    }

    private let state = Mutex(State())

    package init() {}

    /// The highest timeline so far; 0 before the first primary.
    package var highest: UInt32 { state.withLock(\.highest) }

    /// Notes the timeline of a primary; false if a higher one is known.
    ///
    /// - Parameter time: when the hosts were queried.
    func accept(_ timeline: UInt32, askedAt time: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            state.highest = max(state.highest, timeline)
            guard timeline == state.highest else { return false }
            state.confirmed = max(state.confirmed, time)
            return true
        }
    }

    /// Sets how long a confirmation is valid: a process that was stopped for longer must query the hosts again before
    /// it continues.
    func expire(after limit: Duration) { state.withLock { $0.limit = limit } }

    /// Whether this is the latest known timeline of a primary, and was confirmed recently.
    func isCurrent(_ timeline: UInt32) -> Bool {
        state.withLock { state in
            let isFresh = state.limit.map { ContinuousClock.now - state.confirmed <= $0 } ?? true
            return timeline == state.highest && isFresh
        }
    }
}
