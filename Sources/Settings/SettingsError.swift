/// Everything that is wrong with a program's settings, a line each, so that one run tells it all.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    public let problems: [String]

    public init(_ problems: [String]) {
        self.problems = problems
    }

    public var description: String { problems.joined(separator: "\n") }
}
