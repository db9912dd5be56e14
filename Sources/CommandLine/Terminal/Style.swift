/// The meaning of a piece of text for its reader.
public enum Tone: Int, Sendable, CaseIterable {
    /// Select Graphic Rendition (ECMA-48, section 8.3.117).
    case heading = 1
    case faint = 2
    case alarm = 31
    case good = 32
    case warning = 33
}

/// Whether text is coloured.
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

    /// The text in the tone's colour; print it through ``TerminalText/painted(_:)``.
    public func paint(_ text: String, _ tone: Tone?) -> String {
        let text = TerminalText.line(text)
        guard isColoured, let tone, !text.isEmpty else { return text }
        return tone.sequence + text + Self.end
    }

    private static let end = "\u{1B}[0m"

    /// All escape sequences that painting adds.
    static let sequences = [end] + Tone.allCases.map(\.sequence)
}

extension Tone {
    fileprivate var sequence: String { "\u{1B}[\(rawValue)m" }
}
