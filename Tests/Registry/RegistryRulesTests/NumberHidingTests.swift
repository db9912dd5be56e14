import Evidence
import RegistryAPI
import Testing

@testable import RegistryRules

@Suite("Numbers hidden from each other")
struct NumberHidingTests {
    private let home = NumberHiding(key: Array(repeating: 7, count: 32))
    private let guest = NumberHiding(key: Array(repeating: 9, count: 32))

    private func number(_ text: String) throws -> BikeNumber { try BikeNumber(typed: text) }

    @Test("a number that two registries hide is the same, whoever began, and differs from every other")
    func commutative() throws {
        let one = try #require(try guest.hide(number("WTU 123")))
        let other = try #require(try home.hide(number("wtu-123")))
        let exact = try #require(home.hide(one.exact))
        #expect(exact == guest.hide(other.exact) && home.hide(one.folded) == guest.hide(other.folded))
        #expect(Set([one.exact, one.folded, other.exact, other.folded, exact]).count == 5)
        let different = try #require(try guest.hide(number("WTU 124")))
        #expect(home.hide(different.exact) != exact)
    }

    @Test("numbers that are easily misread for each other have the same folded point, and different exact ones")
    func folded() throws {
        let one = try #require(try home.hide(number("WTU0123")))
        let other = try #require(try home.hide(number("WTUO123")))
        #expect(one.folded == other.folded && one.exact != other.exact)
    }

    @Test("hiding is X25519, with the values of RFC 7748, section 5.2")
    func vector() throws {
        let key = try #require(
            Hexadecimal.bytes("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"))
        let point = try #require(
            Hexadecimal.bytes("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"))
        #expect(
            NumberHiding(key: key).hide(point).map { Hexadecimal.text($0) }
                == "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552")
    }

    @Test("what no number can be is refused, and nothing from outside ends the program")
    func invalid() {
        #expect(home.hide(Array(repeating: 0, count: 32)) == nil)
        for count in [0, 1, 31, 33] { #expect(home.hide(Array(repeating: 9, count: count)) == nil) }
        for text in ["", "zz", String(repeating: "0", count: 64), String(repeating: "A", count: 64)] {
            #expect(home.hide(HiddenNumber(exact: text, folded: text)) == nil)
        }
        // The points of small order of the curve and its twist, and values beyond the field.
        for last in [0, 1, 0x7F, 0xFF] as [UInt8] {
            _ = home.hide([1] + Array(repeating: 0, count: 30) + [last])
            _ = home.hide(Array(repeating: 0xFF, count: 31) + [last])
        }
    }
}
