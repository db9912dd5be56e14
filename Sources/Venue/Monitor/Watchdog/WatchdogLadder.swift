public import Beacons
public import Scanning

/// Decides what to do about a radio that hears nothing: time in, step out.
///
/// A radio is quiet if it has heard no advertisement of any kind for a time; a batch without reports does not count.
/// Then the scanner's steps are taken in order, each after a longer wait than the one before, and finally the program
/// ends, so that systemd restarts it. Once something is heard, the ladder starts over.
public struct WatchdogLadder: Hashable, Sendable {
    /// What to do about a quiet radio.
    public enum Action: Hashable, Sendable {
        case take(RecoveryStep)
        /// Ends the program, because nothing has helped.
        case exit
    }

    /// How long a radio may be quiet before each step.
    public struct Configuration: Hashable, Sendable {
        /// The silence after which the first step is taken; greater than zero.
        public var quiet: Duration
        /// The wait after the first step, which doubles with each further step.
        public var firstWait: Duration

        public init(quiet: Duration = .seconds(90), firstWait: Duration = .seconds(30)) {
            self.quiet = max(quiet, .seconds(1))
            self.firstWait = max(firstWait, .seconds(1))
        }
    }

    private let configuration: Configuration
    /// The time when the radio last heard something, or was first checked.
    private var alive: ScanInstant
    /// The number of steps that were taken or skipped as unavailable.
    private var climbed = 0
    /// The wait after the next step.
    private var wait: Duration
    /// When the next step may be taken; nil before the first.
    private var next: ScanInstant?

    /// - Parameter start: the time from which silence counts before anything was heard.
    public init(_ configuration: Configuration, start: ScanInstant) {
        self.configuration = configuration
        alive = start
        wait = configuration.firstWait
    }

    /// Whether steps have been taken since something was last heard.
    public var isClimbing: Bool { next != nil }

    /// The time since anything was heard.
    public func silence(at now: ScanInstant) -> Duration { max(.zero, alive.duration(to: now)) }

    /// The action to take now, if any; call it every few seconds.
    ///
    /// - Parameters:
    ///   - lastReport: the time when the radio last heard an advertisement; nil if never.
    ///   - steps: the steps that the radio's scanner can take now; others are skipped.
    public mutating func advance(
        to now: ScanInstant, lastReport: ScanInstant?, steps: [RecoveryStep]
    ) -> Action? {
        if let lastReport, lastReport > alive { startOver(at: lastReport) }
        guard silence(at: now) >= configuration.quiet, now >= next ?? now else { return nil }
        let all = RecoveryStep.allCases
        while climbed < all.count, !steps.contains(all[climbed]) { climbed += 1 }
        defer {
            climbed += 1
            next = now.advanced(by: wait)
            wait *= 2
        }
        guard climbed < all.count else { return .exit }
        return .take(all[climbed])
    }

    /// Starts over from the lowest step although nothing was heard: for a radio while others still hear beacons.
    public mutating func startOver(at now: ScanInstant) {
        self = WatchdogLadder(configuration, start: now)
    }
}
