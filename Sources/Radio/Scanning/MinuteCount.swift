package import Beacons

/// How often something has happened in the current minute, which begins with the first time.
package struct MinuteCount: Sendable {
    private var minute: (began: ScanInstant, count: Int)?

    package init() {}

    /// The number of times; 0 once the minute has ended.
    package func count(at now: ScanInstant) -> Int {
        guard let minute, minute.began.duration(to: now) < .seconds(60) else { return 0 }
        return minute.count
    }

    /// Counts once more.
    package mutating func add(at now: ScanInstant) {
        let before = count(at: now)
        minute = (before == 0 ? now : minute?.began ?? now, before + 1)
    }
}
