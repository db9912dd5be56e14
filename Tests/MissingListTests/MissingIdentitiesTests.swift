import Beacons
import TestSupport
import Testing

@testable import MissingList

@Suite("Missing identities")
struct MissingIdentitiesTests {
    private let uuid = ProximityUUID(high: 1, low: 2)

    @Test("all of UUID, major and minor must match")
    func exact() {
        let missing = BeaconIdentity(uuid: uuid, major: 1, minor: 2)
        let list = MissingIdentities(version: 1, identities: [missing])
        #expect(list.contains(missing))
        #expect(!list.contains(BeaconIdentity(uuid: uuid, major: 2, minor: 2)))
        #expect(!list.contains(BeaconIdentity(uuid: uuid, major: 1, minor: 1)))
        #expect(!list.contains(BeaconIdentity(uuid: ProximityUUID(high: 1, low: 3), major: 1, minor: 2)))
    }

    @Test("a station without a list looks for nothing")
    func empty() {
        #expect(!MissingIdentities.empty.contains(BeaconIdentity(uuid: uuid, major: 1, minor: 2)))
        #expect(!MissingIdentities.empty.contains(BeaconIdentity(uuid: uuid, major: 0, minor: 0)))
    }

    @Test("an identity that is listed twice counts once")
    func duplicates() {
        let missing = BeaconIdentity(uuid: uuid, major: 0, minor: 0)
        let list = MissingIdentities(version: 1, identities: [missing, missing, missing])
        #expect(list.count == 1)
        #expect(list.contains(missing))
    }

    /// A table that loses or invents entries would miss a stolen bike or alarm for another.
    @Test(
        "a large list answers as a set does, however many UUIDs it has and in whatever order it comes",
        arguments: [1, 3, 64, 20_000], [true, false]
    )
    func large(uuids: UInt64, isSorted: Bool) {
        var random = SeededGenerator(seed: uuids)
        let identities = (0..<20_000 as Range<UInt64>).map { identity($0, uuids: uuids, random.next()) }
        let listed = Set(identities)
        let list = MissingIdentities(
            version: 1,
            identities: isSorted ? identities.sorted() : identities,
            seed: HashSeed(using: &random)
        )
        #expect(list.count == listed.count)
        let others = (0..<20_000 as Range<UInt64>).map { identity($0, uuids: 2 * uuids, random.next()) }
        let wrong = (identities + others).filter { list.contains($0) != listed.contains($0) }
        #expect(wrong.isEmpty)
    }

    /// Few majors, so that lists hold duplicates and near misses.
    private func identity(_ index: UInt64, uuids: UInt64, _ random: UInt64) -> BeaconIdentity {
        BeaconIdentity(
            uuid: ProximityUUID(high: index % uuids % 5, low: index % uuids),
            major: UInt16(random & 3),
            minor: UInt16(truncatingIfNeeded: random >> 52)
        )
    }

    @Test("the first and the last identity that exist can be listed")
    func extremes() {
        let first = BeaconIdentity(uuid: ProximityUUID(high: 0, low: 0), major: 0, minor: 0)
        let last = BeaconIdentity(uuid: ProximityUUID(high: .max, low: .max), major: .max, minor: .max)
        let list = MissingIdentities(version: 1, identities: [last, first])
        #expect(list.contains(first) && list.contains(last))
        #expect(!list.contains(BeaconIdentity(uuid: first.uuid, major: .max, minor: .max)))
        #expect(!list.contains(BeaconIdentity(uuid: last.uuid, major: 0, minor: 0)))
    }

    /// Owners choose identities where the operator allows it: none may slow down every station in the country.
    @Test("numbers in a row do not crowd one place of the table", arguments: 0..<20 as Range<UInt64>)
    func crowding(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let seed = HashSeed(using: &random)
        let places = (0..<10_000 as Range<UInt32>).map { seed.place(of: $0, in: 15_000) }
        let fullest = Dictionary(places.map { ($0, 1) }, uniquingKeysWith: +).values.max() ?? 0
        #expect(fullest <= 12)
    }
}
