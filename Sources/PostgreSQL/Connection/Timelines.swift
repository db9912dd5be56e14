import Synchronization

/// The highest timeline that this process has seen on a primary; shared by its pools and listeners.
///
/// Each promotion of a standby begins a new timeline. A primary with an older one was replaced, even if it is still
/// running or has been started again, so it is never used.
package final class Timelines: Sendable {
    private let state = Mutex<UInt32>(0)

    package init() {}

    package var highest: UInt32 { state.withLock(\.self) }

    /// Notes a timeline; false if a higher one is known.
    func accept(_ timeline: UInt32) -> Bool {
        state.withLock { highest in
            highest = max(highest, timeline)
            return timeline == highest
        }
    }
}
