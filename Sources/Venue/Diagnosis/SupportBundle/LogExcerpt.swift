import Syntax

/// The monitor's log as a supporter gets it: only the parts that are listed here.
///
/// Programs of the venue, such as that of `alarm.command`, may print anything, and nothing marks the parts that are
/// secret.
enum LogExcerpt {
    /// The fields whose values are the monitor's own words, numbers and names.
    static let fields: Set<String> = [
        "adapter", "applied", "at", "broker", "count", "error.message", "file", "frames", "missing", "quarters",
        "reason", "receiver", "retryIn", "rssi", "settings", "silence", "step", "time", "unanswered", "version",
        "visit", "visitsEndedEarly", "wait",
    ]

    /// What stands in the place of the parts that are not shown.
    static let withheld = "[not shown]"

    /// The lines of a journal without what must not be shown.
    ///
    /// - Parameter journal: lines of `journalctl --output short-iso`.
    static func shown(_ journal: String) -> String {
        journal.split(at: "\n").map { line($0) + "\n" }.joined()
    }

    private static func line(_ line: Substring) -> String {
        // 2026-11-21T13:00:00+0000 pi findmybike-monitor[4]: …
        let origin = #/\S+ \S+ ([A-Za-z0-9_-]+)(?:\[[0-9]+\])?: /#.matchingSemantics(.unicodeScalar)
        guard let match = line.prefixMatch(of: origin) else { return withheld }
        let text = line[match.range.upperBound...]
        switch match.output.1 {
        case "systemd": return String(line)
        case "findmybike-monitor": return match.output.0 + event(text)
        default: return match.output.0 + withheld
        }
    }

    /// `time level label: key=value … [Module] message`
    private static func event(_ text: Substring) -> String {
        let event = #/(\S+ [a-z]+ [^ :]+:)(.*) (\[[A-Za-z]+\] .*)/#.matchingSemantics(.unicodeScalar)
        guard let match = text.wholeMatch(of: event) else { return remark(text) }
        var shown = String(match.output.1)
        var rest = match.output.2
        let key = #/ ([A-Za-z.]+)=/#.matchingSemantics(.unicodeScalar)
        while let field = rest.prefixMatch(of: key), fields.contains(String(field.output.1)) {
            let end = rest[field.range.upperBound...].firstMatch(of: key)?.range.lowerBound ?? rest.endIndex
            shown += rest[..<end]
            rest = rest[end...]
        }
        // Values are not quoted, so the end of a value that is not shown is unknown.
        return shown + (rest.isEmpty ? "" : " " + withheld) + " " + match.output.3
    }

    /// A message before the log begins, without the values in quotation marks; or the report of a crash.
    private static func remark(_ text: Substring) -> String {
        if text.begins(with: "findmybike-monitor: ") { return withoutValues(text) }
        let crash = #/(?:Thread [0-9]+|[0-9]+ 0x|\*\*\* |.*Fatal error).*/#.matchingSemantics(.unicodeScalar)
        return text.wholeMatch(of: crash) == nil ? withheld : String(text)
    }

    /// A message of a program without the values that it quotes.
    static func withoutValues(_ message: some StringProtocol) -> String {
        let value = /‘.*’/.dotMatchesNewlines().matchingSemantics(.unicodeScalar)
        return String(message).replacing(value, with: "‘…’")
    }
}
