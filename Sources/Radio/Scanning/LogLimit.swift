package import Beacons

/// Limits the log lines that something outside this program can cause: the first ones of each minute are written, and
/// the rest are counted.
package struct LogLimit: Sendable {
    private let lines: Int
    private var written = MinuteCount()
    private var omitted = 0

    /// - Parameter lines: the maximum number of lines in a minute.
    package init(_ lines: Int) {
        self.lines = lines
    }

    /// Whether a line may be written; if not, it is counted.
    package mutating func allows(at now: ScanInstant) -> Bool {
        guard written.count(at: now) < lines else {
            omitted += 1
            return false
        }
        written.add(at: now)
        return true
    }

    /// The lines left out in the minute that has ended, once; nil if there were none. Call this before ``allows(at:)``,
    /// which begins another minute.
    package mutating func takeOmitted(at now: ScanInstant) -> Int? {
        guard omitted > 0, written.count(at: now) == 0 else { return nil }
        defer { omitted = 0 }
        return omitted
    }
}

/// Decides which failures of repeated attempts are logged: the first of an outage, and each with another reason, but at
/// most one in a minute.
package struct OutageLog: Sendable {
    /// The reason that was logged last; nil if there has been a success since.
    private var loggedReason: String?
    private var limit = LogLimit(1)

    /// - Parameter works: whether it is known to work; the first success is then not logged.
    package init(works: Bool = true) {
        // No failure has this reason.
        loggedReason = works ? nil : ""
    }

    /// Notes a failure; returns whether to log it.
    package mutating func failed(_ reason: String, at now: ScanInstant) -> Bool {
        guard loggedReason != reason, limit.allows(at: now) else { return false }
        loggedReason = reason
        return true
    }

    /// Notes a success; returns whether to log it, which is so only if the failure was logged.
    package mutating func succeeded() -> Bool {
        defer { loggedReason = nil }
        return loggedReason != nil
    }
}

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
        if before == 0 {
            minute = (began: now, count: 1)
        } else {
            minute?.count = before + 1
        }
    }
}
