/// Makes text of others fit for a terminal: it can move no cursor, hide no word and forge no line.
///
/// Control characters are shown by their pictures (`␛` for ESC). A character that directs the writing, has no width, or separates
/// lines in Unicode's way is shown as `�`.
public enum TerminalText {
    /// For a place where one line is expected: line breaks and tabs are shown too.
    public static func line(_ text: some StringProtocol) -> String { shown(text) { _ in false } }

    /// For text of several lines of which this program made the line breaks.
    public static func lines(_ text: some StringProtocol) -> String { shown(text) { $0 == "\n" } }

    /// For lines that ``Style`` painted: its own sequences stay, and no others.
    public static func painted(_ text: some StringProtocol) -> String {
        guard text.unicodeScalars.contains("\u{1B}") else { return line(text) }
        var (result, rest) = ("", Substring(text))
        while let escape = rest.firstIndex(of: "\u{1B}") {
            result += line(rest[..<escape])
            rest = rest[escape...]
            let sequence = Style.sequences.first { rest.hasPrefix($0) }
            result += sequence ?? line(rest.prefix(1))
            rest = rest.dropFirst(sequence?.count ?? 1)
        }
        return result + line(rest)
    }

    /// For JSON, which means the same afterwards: such characters occur in its strings alone, where they can be escaped.
    public static func json(_ text: some StringProtocol) -> String {
        guard !isPlain(text) else { return String(text) }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard scalar.isDeceptive, scalar.value >= 0x20 else {
                result.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                result.append(
                    contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
            }
        }
        return String(result)
    }

    private static func shown(_ text: some StringProtocol, except isAllowed: (Unicode.Scalar) -> Bool) -> String {
        guard !isPlain(text) else { return String(text) }
        var result = String.UnicodeScalarView()
        var joins = false
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            // Joins two pictures to one, as in a person on a bike.
            joins =
                scalar == "\u{200D}" && index > 0 && scalars[index - 1].isPictured && index + 1 < scalars.count
                && scalars[index + 1].isPictured
            result.append(!scalar.isDeceptive || joins || isAllowed(scalar) ? scalar : scalar.picture)
        }
        return String(result)
    }

    /// Printable ASCII needs no closer look.
    private static func isPlain(_ text: some StringProtocol) -> Bool { text.utf8.allSatisfy { 0x20..<0x7F ~= $0 } }
}

extension Unicode.Scalar {
    /// Whether a terminal acts on it, or a person does not see it.
    fileprivate var isDeceptive: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }

    fileprivate var isPictured: Bool { value > 0xFF && (properties.isEmoji || value == 0xFE0F) }

    /// Of “Control Pictures” (Unicode block U+2400), or else the replacement character.
    fileprivate var picture: Unicode.Scalar {
        switch value {
        case 0..<0x20: Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        default: "\u{FFFD}"
        }
    }
}
