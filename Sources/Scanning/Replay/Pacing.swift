public import Beacons

/// How fast a capture or a simulation is played.
public enum Pacing: Hashable, Sendable {
    /// At N times the speed of its own time; 1 is as it was recorded. Clamped to ``speeds``.
    case times(Double)
    /// Without waiting: its own time is the clock, and a day passes in seconds.
    case asFastAsPossible

    public static let recorded = Pacing.times(1)

    /// The speeds that can be kept; anything faster may as well not wait.
    public static let speeds = 0.001...1_000_000.0
}

/// Holds a played source back so that its own time passes at the wanted speed of a given clock.
///
/// Waiting never accumulates error: each deadline is counted from the first one.
public struct Pacer<PacingClock: Clock>: Sendable where PacingClock.Duration == Duration {
    /// Nil to play without waiting.
    private let speed: Double?
    private let clock: PacingClock
    private var origin: (played: ScanInstant, real: PacingClock.Instant)?

    public init(_ pacing: Pacing, clock: PacingClock) {
        speed = pacing.speed
        self.clock = clock
    }

    /// Waits until the source's time has come; the first call sets the origin and returns at once.
    ///
    /// Runs where its caller runs: a change of executors for each batch would cost more than reading it.
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

    /// Makes the next call of ``wait(until:)`` the first: for a step of the source's time that nobody should wait for.
    public mutating func restart() {
        origin = nil
    }
}

extension Pacing {
    fileprivate var speed: Double? {
        switch self {
        case .times(let speed): max(Self.speeds.lowerBound, min(speed, Self.speeds.upperBound))
        case .asFastAsPossible: nil
        }
    }
}

extension Pacing {
    /// Parses how many times as fast, `1`, `60` or `0.5` (0.001…1,000,000), or `max` for as fast as possible.
    public init?(_ text: String) {
        if text == "max" {
            self = .asFastAsPossible
        } else if let speed = Double(text), (0.001...1_000_000).contains(speed) {
            self = .times(speed)
        } else {
            return nil
        }
    }

    /// How long something of the given length plays.
    public func realDuration(of length: Duration) -> Duration {
        switch self {
        case .times(let speed): length / speed
        case .asFastAsPossible: .zero
        }
    }
}
