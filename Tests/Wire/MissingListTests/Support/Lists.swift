import Beacons
import TestSupport

@testable import MissingList

extension ListVersion {
    /// A version with a mark derived from its number.
    static func number(_ number: UInt64) -> ListVersion {
        ListVersion(number: number, mark: number &* 0x9E37_79B9_7F4A_7C15)
    }
}

extension BeaconIdentity {
    static func random(using generator: inout SeededGenerator) -> BeaconIdentity {
        BeaconIdentity(
            uuid: ProximityUUID(high: generator.next(), low: generator.next()),
            major: UInt16(truncatingIfNeeded: generator.next()), minor: UInt16(truncatingIfNeeded: generator.next())
        )
    }
}

extension MissingIdentities {
    /// A list with these hashes.
    init(_ number: UInt64, _ values: some Sequence<UInt64>) {
        self.init(version: .number(number), hashes: TruncatedHashes(values.map(TruncatedHash.init(value:))))
    }

    static func random(_ number: UInt64, count: Int, using generator: inout SeededGenerator) -> MissingIdentities {
        MissingIdentities(number, (0..<count).map { _ in generator.next() >> 24 })
    }

    /// A copy of the list with some hashes removed and others added.
    func changed(
        to number: UInt64, removing: Int, adding: Int, using generator: inout SeededGenerator
    ) -> MissingIdentities {
        let kept = hashes.map(\.value).shuffled(using: &generator).dropFirst(removing)
        return MissingIdentities(number, kept + (0..<adding).map { _ in generator.next() >> 24 })
    }

    /// The change from an earlier list.
    func delta(from earlier: MissingIdentities) -> ListDelta {
        let (before, now) = (Set(earlier.hashes), Set(hashes))
        return ListDelta(
            to: self, from: earlier.version, removed: before.subtracting(now), added: now.subtracting(before)
        )
    }

    /// The list that results from applying a message to this one.
    func reading(_ bytes: [UInt8]) throws(ListCodingError) -> MissingIdentities {
        switch try ListMessage(bytes) {
        case .full(let list): list
        case .delta(let delta): try applying(delta)
        }
    }

    /// Whether both lists have the same version, digest and hashes.
    func isSame(as other: MissingIdentities) -> Bool {
        version == other.version && digest == other.digest && Array(hashes) == Array(other.hashes)
    }
}
