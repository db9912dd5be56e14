public import Beacons

/// How fast a capture or a simulation is played.
public enum Pacing: Hashable, Sendable {
    /// At N times the speed of its own time; 1 is as it was recorded.
    case times(Double)
    /// Without waiting: its own time is the clock, and a day passes in seconds.
    case asFastAsPossible

    public static let recorded = Pacing.times(1)
}

/// Holds a played source back so that its own time passes at the wanted speed of a given clock.
///
/// Waiting never accumulates error: each deadline is counted from the first one.
public struct Pacer<PacingClock: Clock>: Sendable where PacingClock.Duration == Duration {
    private let pacing: Pacing
    private let clock: PacingClock
    private var origin: (played: ScanInstant, real: PacingClock.Instant)?

    public init(_ pacing: Pacing, clock: PacingClock) {
        self.pacing = pacing
        self.clock = clock
    }

    /// Waits until the source's time has come; the first call sets the origin and returns at once.
    public mutating func wait(until instant: ScanInstant) async throws {
        guard case .times(let speed) = pacing else {
            try Task.checkCancellation()
            return
        }
        guard let origin else {
            origin = (instant, clock.now)
            return
        }
        let elapsed = origin.played.duration(to: instant)
        try await clock.sleep(until: origin.real.advanced(by: elapsed / speed), tolerance: nil)
    }
}
