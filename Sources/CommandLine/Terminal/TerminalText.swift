import Syntax

/// Makes untrusted text safe for a terminal: it cannot move the cursor, hide words or forge lines.
///
/// Control characters are shown as control pictures (`␛` for ESC). Characters that change the text direction, have no
/// width, or are Unicode line separators are shown as `�`.
public enum TerminalText {
    /// Sanitises text for a single line: line breaks and tabs are shown as characters, too.
    public static func line(_ text: some StringProtocol) -> String { shown(text) { _ in false } }

    /// Sanitises text of several lines; the line breaks must be this program's own.
    public static func lines(_ text: some StringProtocol) -> String { shown(text) { $0 == "\n" } }

    /// Sanitises lines that ``Style`` painted: its own sequences are kept, and no others.
    public static func painted(_ text: some StringProtocol) -> String {
        guard text.unicodeScalars.contains(escape) else { return line(text) }
        var result = ""
        var rest = Substring(text)
        while let start = rest.unicodeScalars.firstIndex(of: escape) {
            result += line(rest[..<start])
            rest = rest[start...]
            let sequence = Style.sequences.first { rest.begins(with: $0) }
            result += sequence ?? line(String(escape))
            rest = rest.dropping(prefix: sequence ?? String(escape)) ?? ""
        }
        return result + line(rest)
    }

    /// Sanitises JSON without changing its meaning: these characters occur only in its strings, where they can be
    /// escaped. Control characters below U+0020 are white space there, or escaped already.
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

    /// The text with a picture for each deceptive character.
    private static func shown(_ text: some StringProtocol, except isAllowed: (Unicode.Scalar) -> Bool) -> String {
        guard !isPlain(text) else { return String(text) }
        var result = String.UnicodeScalarView()
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let isShown = !scalar.isDeceptive || joinsEmoji(index, in: scalars) || isAllowed(scalar)
            result.append(isShown ? scalar : scalar.picture)
        }
        return String(result)
    }

    /// Whether a scalar joins two emoji into one, such as a person on a bike.
    private static func joinsEmoji(_ index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        guard scalars[index] == zeroWidthJoiner, index > 0, index + 1 < scalars.count else { return false }
        return scalars[index - 1].isPictured && scalars[index + 1].isPictured
    }

    private static let zeroWidthJoiner: Unicode.Scalar = "\u{200D}"
    private static let escape: Unicode.Scalar = "\u{1B}"

    /// Whether the text is printable ASCII, which needs no further check.
    private static func isPlain(_ text: some StringProtocol) -> Bool {
        func arePlain(_ bytes: some Sequence<UInt8>) -> Bool { bytes.allSatisfy { (0x20..<0x7F).contains($0) } }
        // The buffer of the text is read several times as quickly as its view.
        return text.utf8.withContiguousStorageIfAvailable { arePlain($0) } ?? arePlain(text.utf8)
    }
}

extension Unicode.Scalar {
    /// Whether a terminal interprets the character, or a person cannot see it.
    fileprivate var isDeceptive: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }

    /// Whether it is a part of an emoji outside Latin-1, in which `©` and digits also count as emoji.
    fileprivate var isPictured: Bool { value > 0xFF && (properties.isEmoji || value == 0xFE0F) }

    /// The character's picture from “Control Pictures” (Unicode block U+2400), or else the replacement character.
    fileprivate var picture: Unicode.Scalar {
        switch value {
        case 0..<0x20: Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        default: "\u{FFFD}"
        }
    }
}

/// A number with its noun, such as `1 bike` or `2 bikes`.
///
/// - Parameters:
///   - noun: the noun for one.
///   - plural: the noun for any other number; nil to add an s.
public func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}
