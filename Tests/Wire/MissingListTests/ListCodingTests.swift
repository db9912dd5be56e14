import TestSupport
import Testing

@testable import MissingList

@Suite("The encoded list")
struct ListCodingTests {
    @Test("a list of any size is decoded as it was encoded", arguments: [0, 1, 2, 3, 10, 1000, 20_000])
    func full(count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let list = MissingIdentities.random(7, count: count, using: &generator)
        #expect(try MissingIdentities.empty.reading(list.encoded).isSame(as: list))
    }

    @Test("the lowest and the highest hash, and consecutive hashes, are decoded as they were encoded")
    func extremes() throws {
        let list = MissingIdentities(1, Array(0...500) + [1 << 40 - 2, 1 << 40 - 1])
        #expect(try MissingIdentities.empty.reading(list.encoded).isSame(as: list))
    }

    @Test(
        "a delta turns the earlier list into the later one",
        arguments: [
            (0, 0, 0), (0, 0, 5), (5, 5, 0), (5, 5, 5), (100, 1, 0), (1000, 10, 10), (1000, 999, 3), (9, 0, 900),
        ]
    )
    func delta(count: Int, removing: Int, adding: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count + removing))
        for _ in 0..<5 {
            let before = MissingIdentities.random(1, count: count, using: &generator)
            let after = before.changed(to: 2, removing: removing, adding: adding, using: &generator)
            #expect(try before.reading(after.delta(from: before).encoded).isSame(as: after))
        }
    }

    @Test("thirty deltas in a row keep a station's list equal to the registry's")
    func manyDeltas() throws {
        var generator = SeededGenerator(seed: 11)
        var registry = MissingIdentities.random(1, count: 2000, using: &generator)
        var station = try MissingIdentities.empty.reading(registry.encoded)
        for number in 2...30 as ClosedRange<UInt64> {
            let removing = Int.random(in: 0...30, using: &generator)
            let next = registry.changed(to: number, removing: removing, adding: 30 - removing, using: &generator)
            station = try station.reading(next.delta(from: registry).encoded)
            registry = next
            #expect(station.isSame(as: registry))
        }
    }

    @Test("a list is within a third of a bit per bike of the theoretical minimum, and so is a change")
    func sizes() {
        var generator = SeededGenerator(seed: 13)
        let list = MissingIdentities.random(1, count: 16_384, using: &generator)
        // For 2^14 of 2^40 hashes: 26 bits for the average distance, and 1.44 bits for its variation (log2 e).
        let bits = Double(list.encoded.count * 8) / 16_384
        #expect(bits < 27.77)
        let later = list.changed(to: 2, removing: 10, adding: 10, using: &generator)
        #expect(later.delta(from: list).encoded.count <= 185)
    }

    @Test("a version's text can be parsed back, and other text is refused")
    func versions() {
        let version = ListVersion(number: 42, mark: 0xF86_D081_884C_7D65)
        #expect(version.description == "42-0f86d081884c7d65")
        #expect(ListVersion(version.description) == version)
        for text in ["", "42", "42-", "-1", "42-F86d081884c7d65", "042-0f86d081884c7d65", "+42-0f86d081884c7d65"] {
            #expect(ListVersion(text) == nil, "\(text)")
        }
    }
}
