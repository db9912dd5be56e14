import Beacons

/// Decides when a scan must be started again: time in, decision out.
///
/// Nobody tells a program that its scan was switched off. But the controller's answers to other programs are seen, and
/// silence is suspicious. The waits double while a restart does not help, so that two programs do not fight over a
/// controller, and a place without any radio is left in peace.
struct ScanSupervisor: Sendable {
    enum Reason: Equatable, Sendable {
        case interrupted
        case silent
    }

    static let interruptionWaits = Duration.seconds(1)...(.seconds(60))
    /// After this time without an interruption the next one counts as the first.
    static let peace = Duration.seconds(300)
    static let silences = Duration.seconds(30)...(.seconds(300))

    /// When the scan began or something was last heard; nil while there is no scan.
    private var alive: ScanInstant?
    private var silence = silences.lowerBound
    private var lastInterruption: ScanInstant?
    private var wait = interruptionWaits.lowerBound
    private var due: ScanInstant?

    /// The scan runs.
    mutating func began(at now: ScanInstant) {
        alive = now
        due = nil
    }

    /// There is no scan that could be restarted.
    mutating func ended() {
        alive = nil
        due = nil
    }

    /// A report came in.
    mutating func heard(at now: ScanInstant) {
        guard alive != nil else { return }
        alive = now
        silence = Self.silences.lowerBound
    }

    /// Another program has changed the scan.
    mutating func interrupted(at now: ScanInstant) {
        guard due == nil, alive != nil else { return }
        if let lastInterruption, lastInterruption.duration(to: now) < Self.peace {
            wait = min(wait * 2, Self.interruptionWaits.upperBound)
        } else {
            wait = Self.interruptionWaits.lowerBound
        }
        lastInterruption = now
        due = now.advanced(by: wait)
    }

    /// Why the scan must be restarted now, once; nil if it need not.
    mutating func restart(at now: ScanInstant) -> Reason? {
        guard let alive else { return nil }
        if let due, now >= due {
            self.due = nil
            return .interrupted
        }
        guard alive.duration(to: now) >= silence else { return nil }
        self.alive = now
        silence = min(silence * 2, Self.silences.upperBound)
        return .silent
    }
}
