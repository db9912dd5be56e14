import Beacons
import TestSupport
import Testing

@testable import MissingList

@Suite("Looking up hashes")
struct TruncatedHashesTests {
    /// A set that loses or invents entries would miss a stolen bike or report another one.
    @Test("a set gives the same results as an array of numbers", arguments: [0, 1, 2, 100, 10_000])
    func answers(count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        let values = (0..<count).map { _ in generator.next() >> 24 }
        let set = TruncatedHashes(values.map(TruncatedHash.init(value:)))
        #expect(set.map(\.value) == values.sorted())
        #expect(set.count == count)
        let probes = values.prefix(2000).flatMap { [$0, ($0 + 1) & 0xFF_FFFF_FFFF, generator.next() >> 24] }
        let known = Set(values)
        let wrong = probes.filter { set.contains(TruncatedHash(value: $0)) != known.contains($0) }
        #expect(wrong.isEmpty)
        let sorted = values.sorted()
        for probe in probes.prefix(60) {
            #expect(set.rank(of: TruncatedHash(value: probe)) == sorted.count { $0 < probe })
        }
    }

    @Test("hashes that share their first half, and the lowest and highest hashes, are found")
    func extremes() {
        let values = [0, 1, 0xFF_FFFF, 0x100_0000] + (0..<100).map { 0x77_0000_0000 + $0 * 7 } + [0xFF_FFFF_FFFF]
        let set = TruncatedHashes(values.map { TruncatedHash(value: UInt64($0)) })
        #expect(values.allSatisfy { set.contains(TruncatedHash(value: UInt64($0))) })
        #expect(![2, 0xFF_FFFE, 0x77_0000_0001, 0xFF_FFFF_FFFE].contains { set.contains(TruncatedHash(value: $0)) })
    }

    @Test("UUID, major and minor all count, and a duplicate identity is listed once")
    func identities() {
        let uuid = ProximityUUID(high: 1, low: 2)
        let missing = BeaconIdentity(uuid: uuid, major: 1, minor: 2)
        let list = MissingIdentities(version: .number(1), identities: [missing, missing])
        #expect(list.count == 1)
        #expect(list.contains(missing))
        #expect(!list.contains(BeaconIdentity(uuid: uuid, major: 2, minor: 2)))
        #expect(!list.contains(BeaconIdentity(uuid: uuid, major: 1, minor: 1)))
        #expect(!list.contains(BeaconIdentity(uuid: ProximityUUID(high: 1, low: 3), major: 1, minor: 2)))
        #expect(!MissingIdentities.empty.contains(missing))
    }

    @Test("remembered results match the list, even after the list has changed")
    func matcher() {
        var generator = SeededGenerator(seed: 5)
        let heard = (0..<6000).map { _ in BeaconIdentity.random(using: &generator) }
        let lists = [
            MissingIdentities(version: .number(1), identities: heard.prefix(500)),
            MissingIdentities(version: .number(2), identities: heard.suffix(500)),
        ]
        var matcher = MissingMatcher()
        for list in lists {
            for _ in 0..<2 {
                let wrong = heard.filter { matcher.matches($0, on: list) != list.contains($0) }
                #expect(wrong.isEmpty)
            }
        }
    }

    @Test("an empty slot of the memory is not a result for the identity of zeros")
    func zeros() {
        let zeros = BeaconIdentity(uuid: ProximityUUID(high: 0, low: 0), major: 0, minor: 0)
        var matcher = MissingMatcher()
        let isMatch = matcher.matches(zeros, on: MissingIdentities(version: .number(1), identities: [zeros]))
        #expect(isMatch)
    }
}
