import Beacons

/// Finds out whether a proxy still serves this program.
///
/// A proxy serves one program. From ESPHome 2026.7 on this is the one that subscribed last. The previous one hears
/// nothing more, and gets no notice. But a proxy responds to requests about connections only if they come from the
/// program that it serves, and to requests for a sign of life from every program. So it is asked to read from a device
/// that does not exist, which it refuses immediately, without using its radio, and then for a sign of life. If only the
/// second response arrives, it serves another program.
///
/// Firmware for proxies without connections does not refuse anything. So the first such request comes with the
/// subscription, before another program can have taken the proxy. If it is not refused, the proxy may also have served
/// another program all the time; then it is asked once more when it certainly serves this one.
struct SubscriptionProbe {
    /// The address of no device: it would have to be a manufacturer’s whose first three bytes are zero.
    static let nobody: UInt64 = 1
    /// The time without an advertisement after which the proxy is asked. It doubles with each answer.
    static let firstWait = Duration.seconds(2)
    static let longestWait = Duration.seconds(32)
    /// The wait until it is asked again after a missing answer, which may have been lost.
    static let secondWait = Duration.seconds(1)

    /// Whether an answer is awaited; if so, whether the proxy had served this program, and whether it has refused.
    private enum Stage {
        case resting
        case asked(isServed: Bool, isRefused: Bool)
    }

    /// Whether this proxy refuses; nil before it was found out.
    private(set) var isRefusing: Bool?
    private var stage = Stage.resting
    private var wait = firstWait
    /// When to ask next; nil before the proxy has served this program.
    private var next: ScanInstant?
    /// Whether the last refusal did not arrive.
    private var hasMissed = false

    /// Whether the proxy has served this program.
    var isServed: Bool { next != nil }

    /// Notes that the proxy serves this program.
    mutating func noteServed(at now: ScanInstant) {
        if next == nil { next = now }
    }

    /// Notes an advertisement, which is the best proof.
    mutating func noteHeard(at now: ScanInstant) {
        wait = Self.firstWait
        hasMissed = false
        if isRefusing != nil { next = now.advanced(by: wait) }
    }

    /// Whether the proxy is to be asked now.
    func isDue(at now: ScanInstant) -> Bool {
        guard isRefusing != false, case .resting = stage, let next else { return false }
        return now >= next
    }

    /// Notes that the proxy was asked.
    mutating func noteAsked() { stage = .asked(isServed: isServed, isRefused: false) }

    /// Notes a refusal.
    mutating func noteRefusal() {
        if case .asked(let isServed, _) = stage { stage = .asked(isServed: isServed, isRefused: true) }
    }

    /// Notes the sign of life that was asked for together with the refusal.
    ///
    /// - Returns: whether another program is served.
    mutating func noteLife(at now: ScanInstant) -> Bool {
        guard case .asked(let wasServed, let isRefused) = stage else { return false }
        stage = .resting
        guard isRefusing != nil else {
            // The first answer shows whether this firmware refuses, unless another program may have been served then.
            if isRefused || wasServed {
                isRefusing = isRefused
                next = now.advanced(by: wait)
            }
            return false
        }
        if isRefused {
            hasMissed = false
            wait = min(wait * 2, Self.longestWait)
            next = now.advanced(by: wait)
            return false
        }
        // A single missing refusal may have been lost; the second in a row was not sent.
        let isSecondMiss = hasMissed
        hasMissed = true
        next = now.advanced(by: Self.secondWait)
        return isSecondMiss
    }
}
