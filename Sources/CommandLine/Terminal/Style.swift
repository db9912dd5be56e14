/// Whether text is coloured, and how.
public struct Style: Hashable, Sendable {
    public let isColoured: Bool

    public static let plain = Style(isColoured: false)

    public init(isColoured: Bool) {
        self.isColoured = isColoured
    }

    /// Colours are for terminals. `NO_COLOR` (not empty) switches them off everywhere; otherwise `CLICOLOR_FORCE` (not
    /// empty, not 0) switches them on everywhere.
    public init(_ environment: [String: String], isTerminal: Bool) {
        if environment["NO_COLOR"]?.isEmpty == false {
            isColoured = false
        } else if let force = environment["CLICOLOR_FORCE"], !force.isEmpty, force != "0" {
            isColoured = true
        } else {
            isColoured = isTerminal && environment["TERM"] != "dumb"
        }
    }

    /// The text on one line, in the tone's colour if there is a tone; print it through ``TerminalText/painted(_:)``.
    public func paint(_ text: String, _ tone: Tone?) -> String {
        let text = TerminalText.line(text)
        guard isColoured, let tone, !text.isEmpty else { return text }
        return tone.sequence + text + Self.end
    }

    /// Ends every colour.
    private static let end = "\u{1B}[0m"

    /// All escape sequences that painting adds.
    static let sequences = [end] + Tone.allCases.map(\.sequence)
}

/// The meaning of a piece of text for its reader, by the parameter of Select Graphic Rendition that shows it (ECMA-48,
/// section 8.3.117): bold, faint, red, green or yellow.
public enum Tone: Int, Sendable, CaseIterable {
    case heading = 1
    case faint = 2
    case alarm = 31
    case good = 32
    case warning = 33
}

extension Tone {
    /// The escape sequence that begins text in this tone.
    fileprivate var sequence: String { "\u{1B}[\(rawValue)m" }
}
