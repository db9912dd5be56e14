import Diagnosis
import Foundation

/// What the doctor found, a line each, and below it what to do.
struct CheckTable {
    let lines: [String]

    init(_ checks: [Check]) {
        let width = checks.map(\.title.count).max() ?? 0
        lines = checks.flatMap { check in
            let title = check.title.padding(toLength: width, withPad: " ", startingAt: 0)
            let finding = "\(Self.word(check.verdict))  \(title)  \(check.finding)"
            let indent = String(repeating: " ", count: width + 11)
            return [finding] + (check.remedy.map { ["\(indent)→ \($0)"] } ?? [])
        }
    }

    func print() {
        lines.forEach { Output.line($0) }
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
