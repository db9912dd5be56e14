import RegistryRules
import RegistryTestSupport
import Testing

@Suite("The code of a sticker")
struct StickerCodeTests {
    private static func codes(_ count: Int) -> [StickerCode] {
        var entropy = Entropy.seeded(7)
        return (0..<count).map { _ in StickerCode(using: &entropy) }
    }

    @Test("a code can be typed in either case, without hyphens, and with I or L for 1")
    func typed() throws {
        for code in Self.codes(200) {
            let text = code.text
            #expect(text.wholeMatch(of: /[1-9A-HJKMNP-TV-Z]{4}(-[1-9A-HJKMNP-TV-Z]{4}){2}/) != nil, "\(text)")
            let forms = [
                text, text.lowercased(), text.replacing("-", with: ""), text.replacing("-", with: " "),
                text.replacing("1", with: "I"), text.replacing("1", with: "l"),
            ]
            for form in forms { #expect(StickerCode(typed: form) == code, "\(form)") }
        }
    }

    @Test("one wrong character, and two that were exchanged, are always found")
    func check() {
        let alphabet = Array("123456789ABCDEFGHJKMNPQRSTVWXYZ")
        for code in Self.codes(20) {
            let characters = Array(code.text.replacing("-", with: ""))
            for place in characters.indices {
                for wrong in alphabet where wrong != characters[place] {
                    var typed = characters
                    typed[place] = wrong
                    #expect(StickerCode(typed: String(typed)) == nil)
                }
                for other in characters.indices where characters[other] != characters[place] {
                    var typed = characters
                    typed.swapAt(place, other)
                    #expect(StickerCode(typed: String(typed)) == nil)
                }
            }
        }
    }

    @Test(
        "what is no code is refused",
        arguments: [
            "", "-", "ABCD", "0000-0000-0000", "ABCD-EFGH-JKMNP", "ÄÖÜÄ-ÖÜÄÖ-ÜÄÖÜ", String(repeating: "1", count: 65),
        ])
    func refused(text: String) { #expect(StickerCode(typed: text) == nil) }
}
