private import Glibc

/// Text as syntax: compared by its bytes, split and replaced at its Unicode scalars.
///
/// A `Character` is a grapheme cluster. U+0600 before a special character, or U+0301 after it, makes another cluster of
/// it, which `split`, `replacing` and `hasPrefix` do not find, but which a browser, a shell or a parser still obeys. So
/// outside text that a program reads afterwards must never be compared by Characters. Nor may it be compared by
/// canonical equivalence, in which U+037E equals “;” and U+212A equals “K”. And CR LF is a single Character, which is
/// not equal to LF.
///
/// What requests need is inlinable. In another module, the compiler would otherwise call the generic form, which takes
/// ten times as long.
extension StringProtocol {
    /// Whether the text begins with the same bytes.
    @inlinable
    public func begins(with prefix: some StringProtocol) -> Bool { utf8.starts(with: prefix.utf8) }

    /// Whether the text ends with the same bytes.
    @inlinable
    public func ends(with suffix: some StringProtocol) -> Bool {
        let excess = utf8.count - suffix.utf8.count
        return excess >= 0 && utf8.dropFirst(excess).elementsEqual(suffix.utf8)
    }

    /// Whether the same bytes occur in the text.
    @inlinable
    public func has(_ part: some StringProtocol) -> Bool {
        Array(utf8).firstIndex(of: Array(part.utf8), from: 0) != nil
    }

    /// The text after a prefix; nil if it does not begin with it.
    @inlinable
    public func dropping(prefix: some StringProtocol) -> SubSequence? {
        begins(with: prefix) ? self[utf8.index(startIndex, offsetBy: prefix.utf8.count)...] : nil
    }

    /// The text before a suffix; nil if it does not end with it.
    @inlinable
    public func dropping(suffix: some StringProtocol) -> SubSequence? {
        ends(with: suffix) ? self[..<utf8.index(startIndex, offsetBy: utf8.count - suffix.utf8.count)] : nil
    }

    /// The parts between separators. Otherwise like `split(separator:maxSplits:omittingEmptySubsequences:)`.
    @inlinable
    public func split(
        at separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [SubSequence] {
        parts(
            betweenScalars: { $0 == separator }, maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmptySubsequences)
    }

    /// The parts between the scalars that separate. Otherwise like
    /// `split(maxSplits:omittingEmptySubsequences:whereSeparator:)`.
    ///
    /// Not another `split`: a trailing closure matches any label, so `split { … }` could mean either.
    @inlinable
    public func parts(
        betweenScalars isSeparator: (Unicode.Scalar) -> Bool, maxSplits: Int = .max,
        omittingEmptySubsequences: Bool = true
    ) -> [SubSequence] {
        unicodeScalars.split(
            maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences, whereSeparator: isSeparator
        ).map { self[$0.startIndex..<$0.endIndex] }
    }

    /// The text up to the first scalar that ends it; the whole text if none does.
    public func part(beforeScalar isEnd: (Unicode.Scalar) -> Bool) -> SubSequence {
        self[..<(unicodeScalars.firstIndex(where: isEnd) ?? endIndex)]
    }

    /// The text without the scalars to drop at its beginning and end.
    public func trimming(scalars isDropped: (Unicode.Scalar) -> Bool) -> SubSequence {
        guard let start = unicodeScalars.firstIndex(where: { !isDropped($0) }) else { return self[endIndex...] }
        var end = startIndex
        for index in unicodeScalars.indices where !isDropped(unicodeScalars[index]) {
            end = unicodeScalars.index(after: index)
        }
        return self[start..<end]
    }

    /// The text with the scalars of a table replaced by their texts.
    public func replacing(scalars table: [Unicode.Scalar: String]) -> String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if let text = table[scalar] {
                result.append(contentsOf: text.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// The text with each occurrence of the same bytes replaced, from left to right; unchanged if the part is empty.
    public func replacing(text part: String, with text: String) -> String {
        let (bytes, part, text) = (Array(utf8), Array(part.utf8), Array(text.utf8))
        guard !part.isEmpty else { return String(self) }
        var result: [UInt8] = []
        var index = 0
        while let found = bytes.firstIndex(of: part, from: index) {
            result += bytes[index..<found]
            result += text
            index = found + part.count
        }
        return String(decoding: result + bytes[index...], as: UTF8.self)
    }

    /// The text as content, or as a quoted attribute, of an HTML or XML document.
    public var escapedForMarkup: String { replacing(scalars: markupEscapes) }
}

private let markupEscapes: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
]

extension Unicode.Scalar {
    /// Whether it is a space or a tab: the white space within a line of HTTP (OWS, RFC 9110, section 5.6.3).
    public var isBlank: Bool { self == " " || self == "\t" }
}

extension FixedWidthInteger {
    /// Parses a decimal number of ASCII digits without a sign; nil for anything else, and for a number that is too large.
    public init?(digits text: some StringProtocol) {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        self.init(text, radix: 10)
    }
}

extension [UInt8] {
    /// The first index, not before a given one, at which the bytes of a part begin; nil if there is none.
    ///
    /// The given index is not negative. The part should be short: the worst text takes as many comparisons as the product
    /// of both lengths. The C library searches, because the standard library's `firstRange(of:)` takes some hundred
    /// instructions for each byte of the text, and a plain loop as many in a build without optimization.
    @usableFromInline
    func firstIndex(of part: [UInt8], from start: Int) -> Int? {
        guard let first = part.first else { return start }
        return withUnsafeBytes { text in
            part.withUnsafeBytes { part in
                guard let base = text.baseAddress, let partBase = part.baseAddress else { return nil }
                var index = start
                while text.count - index >= part.count {
                    let places = text.count - index - part.count + 1
                    guard let found = memchr(base + index, Int32(first), places) else { return nil }
                    if memcmp(found, partBase, part.count) == 0 { return base.distance(to: found) }
                    index = base.distance(to: found) + 1
                }
                return nil
            }
        }
    }
}

extension Collection where Element == UInt8 {
    /// The bytes after UTF-8's byte order mark, which some editors put at the beginning of a file (The Unicode Standard,
    /// section 23.8); all bytes if there is none.
    public var withoutByteOrderMark: SubSequence { dropFirst(starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0) }
}
