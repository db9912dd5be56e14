extension StringProtocol {
    /// The number of columns of the text on a terminal, which can differ from its number of characters.
    public var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The longest beginning of the text that fits into these columns; the last one is “…” if the text is cut.
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

    /// The text, padded with spaces to this number of columns.
    public func padded(toColumns count: Int) -> String {
        String(self) + String(repeating: " ", count: Swift.max(0, count - columns))
    }
}

extension Character {
    /// 0 for characters that combine with the previous one or are not printed, 2 for East Asian wide characters and
    /// emoji, otherwise 1.
    var columns: Int {
        if unicodeScalars.contains(where: \.isPicture) { return 2 }
        return unicodeScalars.first?.columns ?? 0
    }
}

extension Unicode.Scalar {
    /// Whether it is shown as an emoji, by default or because of a variation selector.
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
