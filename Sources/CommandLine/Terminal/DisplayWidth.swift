extension StringProtocol {
    /// The number of columns of the text on a terminal, which can differ from its number of characters.
    public var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The longest beginning of the text that fits into these columns; the last one is “…” if the text is cut.
    public func cut(toColumns limit: Int) -> String {
        guard columns > limit else { return String(self) }
        var text = ""
        var width = 0
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
        if unicodeScalars.contains(where: \.isEmoji) { return 2 }
        return unicodeScalars.first?.columns ?? 0
    }
}

extension Unicode.Scalar {
    /// Whether it is shown as an emoji, by default or because of a variation selector.
    fileprivate var isEmoji: Bool { properties.isEmojiPresentation || value == Self.emojiVariationSelector }

    /// VARIATION SELECTOR-16, after a character to show it as an emoji (Unicode Technical Standard #51).
    private static let emojiVariationSelector: UInt32 = 0xFE0F

    fileprivate var columns: Int {
        switch properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: 0
        default: Self.wideBlocks.contains { $0.contains(value) } ? 2 : 1
        }
    }

    /// The blocks of wide and full-width characters (Unicode Standard Annex #11, EastAsianWidth.txt, classes W and F).
    private static let wideBlocks: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x2_0000...0x3_FFFD,
    ]
}
