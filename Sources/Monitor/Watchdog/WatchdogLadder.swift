public import Beacons
public import Scanning

/// Decides what to do about a radio that has gone quiet: time in, step out.
///
/// A radio is quiet when it has heard no advertisement of any kind for a time; a batch without reports is no life. Then the
/// steps that its scanner has are taken in order, each after a longer wait than the one before, and in the end the program
/// gives up, so that systemd starts it again. Once something is heard, the ladder starts over.
public struct WatchdogLadder: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
        case take(RecoveryStep)
        /// Nothing has helped.
        case exit
    }

    public struct Configuration: Hashable, Sendable {
        /// Silence after which a radio is helped; greater than zero.
        public var quiet: Duration
        /// What follows each step before the next: the first wait, which then doubles with each step that is taken.
        public var firstWait: Duration

        public init(quiet: Duration = .seconds(90), firstWait: Duration = .seconds(30)) {
            self.quiet = max(quiet, .seconds(1))
            self.firstWait = max(firstWait, .seconds(1))
        }
    }

    private let configuration: Configuration
    /// When the radio last showed life, or was first looked at.
    private var alive: ScanInstant
    /// Steps that are done with, taken or not there to be taken.
    private var climbed = 0
    private var wait: Duration
    private var next: ScanInstant?

    /// - Parameter start: from when on silence counts before anything was heard.
    public init(_ configuration: Configuration, start: ScanInstant) {
        self.configuration = configuration
        alive = start
        wait = configuration.firstWait
    }

    /// Whether steps have been taken since the last life.
    public var isClimbing: Bool { next != nil }

    /// How long nothing has been heard.
    public func silence(at now: ScanInstant) -> Duration { max(.zero, alive.duration(to: now)) }

    /// What to do now, if anything; to be asked every few seconds.
    ///
    /// - Parameters:
    ///   - lastReport: when the radio last heard an advertisement; nil if never.
    ///   - steps: those that the radio's scanner can take now; others are passed over.
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

    /// Starts over from the lowest step, also without life: for a radio that others make up for.
    public mutating func startOver(at now: ScanInstant) {
        self = WatchdogLadder(configuration, start: now)
    }
}
