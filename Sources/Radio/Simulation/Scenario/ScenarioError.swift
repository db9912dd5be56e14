import Yams

/// The reason why a scenario, or another file of a simulation, is invalid: the file, the line, the key, and the remedy.
public struct ScenarioError: Error, Hashable, Sendable {
    /// The file's path, or another name of the text.
    public let source: String
    /// The line number, from 1; nil if the error is about the whole file.
    public let line: Int?
    /// The key's path, such as `beacons[2].path[0].at`; nil if the error is not about a key.
    public let key: String?
    /// The problem and its remedy.
    public let problem: String
    /// Whether the file is missing or cannot be read.
    public let isUnreadable: Bool

    public init(
        source: String, line: Int? = nil, key: String? = nil, problem: String, isUnreadable: Bool = false
    ) {
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
    /// The parser's error, without the copy of the whole text that some errors contain.
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
