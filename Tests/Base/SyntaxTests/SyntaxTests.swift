import Syntax
import Testing

@Suite("Text as syntax")
struct SyntaxTests {
    /// Texts in which a grapheme cluster hides the separator from Swift’s own functions.
    static let disguised = ["a,b", "a\u{600},b", "a,\u{301}b", "a\u{600},\u{301}b"]

    @Test("a separator is found in every grapheme cluster", arguments: disguised)
    func split(text: String) {
        let parts = text.split(at: ",")
        #expect(parts.count == 2)
        #expect(parts.joined(separator: ",").utf8.elementsEqual(text.utf8))
        #expect(text.part(beforeScalar: { $0 == "," }).utf8.elementsEqual(parts[0].utf8))
        #expect(!text.replacing(scalars: [",": ";"]).unicodeScalars.contains(","))
        #expect(text.replacing(text: ",", with: ";").split(at: ";").count == 2)
        #expect(text.has(","))
    }

    @Test("parts are counted as by the standard library")
    func parts() {
        #expect(",a,,b".split(at: ",") == ["a", "b"])
        #expect(",a,,b".split(at: ",", omittingEmptySubsequences: false) == ["", "a", "", "b"])
        #expect("a,b,c".split(at: ",", maxSplits: 1) == ["a", "b,c"])
        #expect("".split(at: ",", omittingEmptySubsequences: false) == [""])
        #expect("a\r\nb".split(at: "\n") == ["a\r", "b"])
    }

    @Test("a part is found and replaced as by the standard library, from left to right")
    func replacing() {
        for (text, part) in [
            ("", "a"), ("aaa", "aa"), ("abab", "ab"), ("ab", "abc"), ("xab", "ab"), ("abx", "ab"), ("aab", "ab"),
            ("b", "a"), ("a\0b", "\0b"), ("xé", "é"),
        ] {
            let expected = String(decoding: Array(text.utf8).replacing(Array(part.utf8), with: [0x3F]), as: UTF8.self)
            #expect(text.replacing(text: part, with: "?") == expected && text.has(part) == (expected != text))
        }
        #expect("ab".replacing(text: "", with: "?") == "ab" && "ab".has("") && "".has(""))
    }

    @Test("a prefix and a suffix are compared by their bytes")
    func ends() {
        #expect("mqtt://\u{301}host".dropping(prefix: "mqtt://")?.utf8.elementsEqual("\u{301}host".utf8) == true)
        #expect("a/\u{600}".dropping(suffix: "/\u{600}") == "a")
        #expect(!"\u{212A}ey".begins(with: "Key") && "\u{212A}ey".hasPrefix("Key"))
        #expect("a;".dropping(suffix: "\u{37E}") == nil)
        #expect("b".dropping(suffix: "ab") == nil && "b".dropping(prefix: "bc") == nil)
        #expect("".begins(with: "") && "".ends(with: ""))
    }

    @Test("blanks at both ends are trimmed, and no others")
    func trimming() {
        #expect(" \ta b\t ".trimming(scalars: \.isBlank) == "a b")
        #expect(" \t".trimming(scalars: \.isBlank).isEmpty && "".trimming(scalars: \.isBlank).isEmpty)
        #expect(" \u{301}a".trimming(scalars: \.isBlank).unicodeScalars.first == "\u{301}")
    }

    @Test("a byte order mark at the beginning is left out, and nothing else")
    func byteOrderMark() {
        let marked: [UInt8] = [0xEF, 0xBB, 0xBF, 0x41]
        #expect(Array(marked.withoutByteOrderMark) == [0x41])
        #expect(Array(marked.dropFirst().withoutByteOrderMark) == [0xBB, 0xBF, 0x41])
    }

    @Test("a number consists of digits", arguments: ["", "+1", "-1", "٣", "1 ", "0x1", "65536", "1\u{301}", "１"])
    func noNumber(text: String) { #expect(UInt16(digits: text) == nil) }

    @Test("a number of digits is read")
    func number() { #expect(UInt16(digits: "00065535") == 65_535) }
}
