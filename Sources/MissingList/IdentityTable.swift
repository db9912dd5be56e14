import Beacons

/// A table of identities that keeps each proximity UUID once, and of major and minor one number in a hash table.
///
/// Most foreign beacons are told by their UUID alone; for the others a look-up waits for memory once, whatever the size.
struct IdentityTable: Sendable {
    private(set) var count = 0
    /// Ascending.
    private var uuids: [UInt128] = []
    /// Where each UUID's part of ``slots`` ends.
    private var ends: [Int] = []
    /// For each UUID one slot that tells whether the number 0 is listed, and then a table with open addressing, linear
    /// probing and at least a third of its slots empty: a number, or 0 where there is none.
    private var slots: [UInt32] = []
    private var seed: HashSeed

    /// A table of identities in any order. In order they are taken one by one, else they are sorted in memory first.
    init(_ identities: some Sequence<BeaconIdentity>, seed: HashSeed) {
        self.seed = seed
        slots.reserveCapacity(Self.length(for: identities.underestimatedCount))
        var part: [UInt32] = []
        var last: BeaconIdentity?
        var unordered: [BeaconIdentity] = []
        for identity in identities {
            if let last, identity <= last {
                if identity < last { unordered.append(identity) }
                continue
            }
            if let last, last.uuid != identity.uuid {
                add(part, of: last.wideUUID)
                part.removeAll(keepingCapacity: true)
            }
            part.append(identity.number)
            last = identity
        }
        if let last { add(part, of: last.wideUUID) }
        if !unordered.isEmpty { self = IdentityTable((unordered + all).sorted(), seed: seed) }
    }

    func contains(_ identity: BeaconIdentity) -> Bool {
        guard let index = uuids.lastPosition(upTo: identity.wideUUID), uuids[index] == identity.wideUUID
        else { return false }
        return slots[slot(of: identity.number, in: part(index))] == Self.entry(identity.number)
    }

    /// The slots of a UUID.
    private func part(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }

    /// The slot that holds a number, or the empty one where it belongs. Each part has an empty slot, so that this ends.
    private func slot(of number: UInt32, in part: Range<Int>) -> Int {
        guard number != 0 else { return part.lowerBound }
        let first = part.lowerBound + 1
        var slot = first + seed.place(of: number, in: part.upperBound - first)
        while slots[slot] != 0, slots[slot] != number {
            slot += 1
            if slot == part.upperBound { slot = first }
        }
        return slot
    }

    /// What the slot of a listed number holds: never 0, which stands for an empty one.
    private static func entry(_ number: UInt32) -> UInt32 { max(1, number) }

    /// Slots for so many numbers of one UUID.
    private static func length(for count: Int) -> Int { count + count / 2 + 2 }

    private mutating func add(_ numbers: [UInt32], of uuid: UInt128) {
        let part = slots.count..<slots.count + Self.length(for: numbers.count)
        slots.append(contentsOf: repeatElement(0, count: part.count))
        for number in numbers { slots[slot(of: number, in: part)] = Self.entry(number) }
        uuids.append(uuid)
        ends.append(part.upperBound)
        count += numbers.count
    }

    /// All identities, in no order that means anything.
    private var all: [BeaconIdentity] {
        uuids.indices.flatMap { index in
            let part = part(index)
            let zero: [UInt32] = slots[part.lowerBound] == 0 ? [] : [0]
            let numbers = zero + slots[part].dropFirst().filter { $0 != 0 }
            return numbers.map { BeaconIdentity(wideUUID: uuids[index], number: $0) }
        }
    }
}

extension BeaconIdentity {
    /// Major and minor as one number.
    fileprivate var number: UInt32 { UInt32(major) << 16 | UInt32(minor) }

    /// The UUID as one number.
    fileprivate var wideUUID: UInt128 { UInt128(uuid.high) << 64 | UInt128(uuid.low) }

    fileprivate init(wideUUID: UInt128, number: UInt32) {
        self.init(
            uuid: ProximityUUID(
                high: UInt64(truncatingIfNeeded: wideUUID >> 64), low: UInt64(truncatingIfNeeded: wideUUID)),
            major: UInt16(number >> 16),
            minor: UInt16(truncatingIfNeeded: number)
        )
    }
}

extension [UInt128] {
    /// The position of the last element that is not above another; the array is ascending.
    ///
    /// Each step counts how many of seven elements are passed: a processor mispredicts every second step of a binary
    /// search, which costs more than comparing a few elements in vain.
    fileprivate func lastPosition(upTo element: UInt128) -> Int? {
        var start = 0
        var length = count
        while length > 8 {
            let step = length / 8
            var passed = 0
            for pivot in 1..<8 { passed += self[start + pivot * step] <= element ? 1 : 0 }
            start += passed * step
            length = passed == 7 ? length - 7 * step : step
        }
        var passed = 0
        for offset in 0..<length { passed += self[start + offset] <= element ? 1 : 0 }
        return passed == 0 ? nil : start + passed - 1
    }
}
