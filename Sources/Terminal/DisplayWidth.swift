extension StringProtocol {
    /// The columns that the text takes on a terminal, which is not its number of characters.
    public var columns: Int { reduce(0) { $0 + $1.columns } }

    /// As much of the text as these columns hold; the last one is “…” if something is cut.
    public func cut(toColumns limit: Int) -> String {
        guard columns > limit else { return String(self) }
        var (text, width) = ("", 0)
        for character in self {
            guard width + character.columns < limit else { break }
            text.append(character)
            width += character.columns
        }
        return limit > 0 ? text + "…" : ""
    }

    /// The text with spaces up to so many columns.
    public func padded(toColumns count: Int) -> String {
        String(self) + String(repeating: " ", count: Swift.max(0, count - columns))
    }
}

extension Character {
    /// 0 for what joins the character before it or is not printed, 2 for East Asian wide characters and pictures, else 1.
    var columns: Int {
        if unicodeScalars.contains(where: \.isPicture) { return 2 }
        return unicodeScalars.first?.columns ?? 0
    }
}

extension Unicode.Scalar {
    /// Shown as a picture, by itself or since a variation selector asks for it.
    fileprivate var isPicture: Bool { properties.isEmojiPresentation || value == 0xFE0F }

    fileprivate var columns: Int {
        switch properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: 0
        default: Self.wide.contains { $0.contains(value) } ? 2 : 1
        }
    }

    /// Wide and full-width blocks (Unicode Standard Annex #11, EastAsianWidth.txt, classes W and F), in whole blocks.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x2_0000...0x3_FFFD,
    ]
}
