public import RegistryAPI
public import RegistryRules
import Synchronization

/// A clock that a test moves by hand.
public final class HandClock: Sendable {
    private let time: Mutex<Timestamp>

    /// Starts at 2026-11-21T12:00:00Z by default.
    public init(_ start: Timestamp = Timestamp(milliseconds: 1_795_262_400_000)) { time = Mutex(start) }

    /// The time, which does not go on by itself.
    public var now: Timestamp { time.withLock { $0 } }

    /// - Parameter duration: also negative, as when a clock is set back.
    public func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }

    /// The same clock, as the code under test takes it.
    public var wallClock: WallClock { WallClock { self.now } }
}
