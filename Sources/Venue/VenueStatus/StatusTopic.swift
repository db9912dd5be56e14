/// A topic of a monitor's status in words, such as `registry`, with one line or more.
public struct StatusTopic: Hashable, Sendable {
    /// Empty for lines that need no heading.
    public let name: String
    public var lines: [String]
    /// The lines that people should see first, because something is wrong.
    public var problems: Set<Int> = []

    public init(_ name: String, _ lines: [String]) {
        self.name = name
        self.lines = lines
    }
}
