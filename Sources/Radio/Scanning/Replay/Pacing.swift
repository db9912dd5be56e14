public import Beacons

/// The speed at which a capture or a simulation is played.
public enum Pacing: Hashable, Sendable {
    /// N times the recorded speed; 1 is the recorded speed. Clamped to ``speeds``.
    case times(Double)
    /// Without waiting: a day passes in seconds.
    case asFastAsPossible

    /// At the speed at which it was recorded.
    public static let recorded = Pacing.times(1)

    /// The supported speeds; at higher speeds use no waiting at all.
    public static let speeds = 0.001...1_000_000.0
}

/// Delays a played source so that its own time passes at the chosen speed of a given clock.
///
/// Errors do not accumulate: each deadline is counted from the first one.
public struct Pacer<PacingClock: Clock>: Sendable where PacingClock.Duration == Duration {
    /// The speed; nil to play without waiting.
    private let speed: Double?
    private let clock: PacingClock
    /// A time of the source, and when it was reached; nil before the first call of ``wait(until:)``.
    private var origin: (played: ScanInstant, real: PacingClock.Instant)?

    public init(_ pacing: Pacing, clock: PacingClock) {
        speed = pacing.speed
        self.clock = clock
    }

    /// Waits until the source's time has been reached; the first call sets the origin and returns immediately.
    ///
    /// Runs on the caller's executor: switching executors for each batch would cost more than reading it.
    public nonisolated(nonsending) mutating func wait(until instant: ScanInstant) async throws {
        guard let speed else {
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

    /// Resets the origin at the next call of ``wait(until:)``: for a step in the source's time that should not cause a
    /// wait.
    public mutating func restart() {
        origin = nil
    }
}

extension Pacing {
    /// Parses a speed factor in ``speeds``, such as `1`, `60` or `0.5`, or `max` for as fast as possible.
    public init?(_ text: String) {
        if text == "max" {
            self = .asFastAsPossible
        } else if let speed = Double(text), Self.speeds.contains(speed) {
            self = .times(speed)
        } else {
            return nil
        }
    }

    /// The factor within ``speeds``; nil for no waiting.
    package var speed: Double? {
        switch self {
        case .times(let speed): max(Self.speeds.lowerBound, min(speed, Self.speeds.upperBound))
        case .asFastAsPossible: nil
        }
    }

    /// The real time that it takes to play the given duration.
    public func realDuration(of length: Duration) -> Duration {
        guard let speed else { return .zero }
        return length / speed
    }
}
