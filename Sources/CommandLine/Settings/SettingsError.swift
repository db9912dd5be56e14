/// All errors in a program's settings, one per line, so that one run reports them all.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    public let problems: [String]

    /// Whether the settings file itself is missing or cannot be read.
    public let isUnreadable: Bool

    public init(_ problems: [String], isUnreadable: Bool = false) {
        self.problems = problems
        self.isUnreadable = isUnreadable
    }

    public var description: String { problems.joined(separator: "\n") }
}
