import Yams

/// Why a scenario was refused: the file, the line, the key, and what to do.
public struct ScenarioError: Error, Hashable, Sendable {
    /// The file's path, or whatever the text was called.
    public let source: String
    /// Counted from 1; nil where the whole file is meant.
    public let line: Int?
    /// The key's path, like `beacons[2].path[0].at`; nil where no key is at fault.
    public let key: String?
    /// What is wrong and what would be right.
    public let problem: String
    /// Whether the file is missing or cannot be read.
    public let isUnreadable: Bool

    init(source: String, line: Int? = nil, key: String? = nil, problem: String, isUnreadable: Bool = false) {
        self.isUnreadable = isUnreadable
        self.source = source
        self.line = line
        self.key = key
        self.problem = problem
    }
}

extension ScenarioError: CustomStringConvertible {
    /// One line: `file:line: key: problem`.
    public var description: String {
        let place = source + (line.map { ":\($0)" } ?? "")
        return [place, key, problem].compactMap(\.self).joined(separator: ": ")
    }
}

extension ScenarioError {
    /// The parser's error, without the copy of the whole text that some of them carry.
    init(_ error: YamlError, source: String) {
        switch error {
        case .scanner(let context, let problem, let mark, _),
            .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let text = [context?.text, problem].compactMap(\.self).joined(separator: ", ")
            self.init(source: source, line: mark.line, problem: "not YAML: \(text)")
        case .reader(let problem, _, _, _):
            self.init(source: source, problem: "not YAML: \(problem)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            let keys = duplicates.sorted().map { "‘\($0)’" }.joined(separator: ", ")
            self.init(source: source, line: context.mark.line, problem: "\(keys) is given twice: keep one of them")
        default:
            self.init(source: source, problem: "not YAML: \(error)")
        }
    }
}
