import Syntax

/// How to write a value instead of one that the argument parser refuses.
public struct ValueAdvice: Sendable {
    let text: String
    let matches: @Sendable (InvalidValue) -> Bool

    /// - Parameters:
    ///   - text: the advice, as the end of the parser's message.
    ///   - matches: whether the advice is about this value.
    public init(_ text: String, _ matches: @escaping @Sendable (InvalidValue) -> Bool) {
        self.text = text
        self.matches = matches
    }
}

/// A value that the argument parser refuses, known only from the parser's message. Its wording is ArgumentParser’s;
/// `UsageTests` fails if a new version has another.
public struct InvalidValue {
    /// “The value '2026-02-31' is invalid for '--since <time>'”, perhaps with what the parser itself says about it.
    private let message: String
    private let text: Substring

    /// - Returns: nil if the message is about something else.
    init?(_ message: String) {
        guard message.has("is invalid for") else { return nil }
        self.message = message
        text = message.firstMatch(of: #/The value '(.*)' is invalid for/#)?.output.1 ?? ""
    }

    /// Whether it was given for this option, such as `--since`.
    public func isFor(_ option: String) -> Bool { message.has(option) }

    /// Whether the help calls it so, as in `<time>`, and the parser itself says nothing about it.
    public func isNamed(_ name: String) -> Bool { message.ends(with: "<\(name)>'") }

    /// Whether it is written like a day, as in 2026-02-31.
    public var isDay: Bool { text.wholeMatch(of: #/\d{4}-\d{2}-\d{2}/#) != nil }

    /// Whether it is in quotes: otherwise the shell would have split it.
    public var isQuoted: Bool { text.has(" ") }

    /// Whether it looks like a list.
    public var isList: Bool { message.has(",") }
}
