import CommandSupport
import Diagnosis
import Foundation
import Terminal

/// The doctor's findings, one per line, with remedies below.
struct CheckTable {
    let lines: [String]

    init(_ checks: [Check]) {
        let width = checks.map(\.title.columns).max() ?? 0
        lines = checks.flatMap { check in
            let word = Output.style.paint(Self.word(check.verdict), Self.tone(check.verdict))
            let finding = "\(word)  \(check.title.padded(toColumns: width))  \(TerminalText.line(check.finding))"
            let indent = String(repeating: " ", count: width + 11)
            return [finding] + (check.remedy.map { ["\(indent)→ \($0)"] } ?? [])
        }
    }

    func print() {
        Output.painted(lines)
    }

    private static func tone(_ verdict: Verdict) -> Tone? {
        switch verdict {
        case .ok: .good
        case .warning: .warning
        case .failure: .alarm
        case .notApplicable: .faint
        }
    }

    private static func word(_ verdict: Verdict) -> String {
        switch verdict {
        case .ok: "ok     "
        case .warning: "warning"
        case .failure: "FAILURE"
        case .notApplicable: "–      "
        }
    }
}
