import Beacons
import MissingList
import TestSupport

/// Successive versions of a missing list, as a registry makes them.
struct ListHistory {
    private var generator: SeededGenerator
    private(set) var identities: Set<BeaconIdentity> = []
    private(set) var lists: [MissingIdentities] = []
    /// The encoded change from the previous list to each list; empty for the first.
    private(set) var deltas: [[UInt8]] = []

    init(seed: UInt64, bikes: Int, versions: Int) {
        generator = SeededGenerator(seed: seed)
        for _ in 0..<bikes { identities.insert(next()) }
        lists.append(list())
        deltas.append([])
        for _ in 1..<max(1, versions) { advance() }
    }

    /// Makes the next version: one bike is found and two are stolen.
    private mutating func advance() {
        let before = lists[lists.count - 1]
        let removed = identities.min().map { [$0] } ?? []
        let added = [next(), next()]
        identities.subtract(removed)
        identities.formUnion(added)
        let now = list()
        let delta = ListDelta(
            to: now, from: before.version, removed: removed.map { TruncatedHash(of: $0) },
            added: added.map { TruncatedHash(of: $0) }
        )
        lists.append(now)
        deltas.append(delta.encoded)
    }

    private mutating func list() -> MissingIdentities {
        let version = ListVersion(number: UInt64(lists.count + 1), mark: generator.next())
        return MissingIdentities(version: version, identities: identities)
    }

    private mutating func next() -> BeaconIdentity {
        BeaconIdentity(
            uuid: ProximityUUID(high: generator.next(), low: 1), major: 1,
            minor: UInt16(truncatingIfNeeded: generator.next())
        )
    }
}
