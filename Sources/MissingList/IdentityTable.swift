import Beacons

/// A sorted table of identities that keeps each proximity UUID once.
///
/// Nothing in it depends on a hash, so nobody who chooses identities can make look-ups slow: a search takes as many steps
/// as the logarithm of the size, and most foreign beacons are told by their UUID alone.
struct IdentityTable: Sendable {
    /// Ascending.
    private var uuids: [UInt128] = []
    /// Where each UUID's part of ``numbers`` ends.
    private var ends: [Int] = []
    /// Major and minor as one number; ascending in each UUID's part.
    private var numbers: [UInt32] = []
    /// The first number of each block of ``numbers``: small enough for a processor's cache, so that a look-up waits for
    /// memory once.
    private var blocks: [UInt32] = []

    /// As many numbers as fill a cache line.
    private static let blockLength = 16

    init(_ identities: some Sequence<BeaconIdentity>) {
        numbers.reserveCapacity(identities.underestimatedCount)
        var unordered: [BeaconIdentity] = []
        for identity in identities where !append(identity) { unordered.append(identity) }
        if !unordered.isEmpty { self = IdentityTable((unordered + all).sorted()) }
    }

    var count: Int { numbers.count }

    func contains(_ identity: BeaconIdentity) -> Bool {
        guard let part = uuids.lastPosition(upTo: identity.wideUUID, in: 0..<uuids.count),
            uuids[part] == identity.wideUUID
        else { return false }
        let range = narrow((part == 0 ? 0 : ends[part - 1])..<ends[part], to: identity.number)
        return numbers.lastPosition(upTo: identity.number, in: range).map { numbers[$0] == identity.number } ?? false
    }

    /// The block of a UUID's part that holds a number if any does; what lies before the part's first whole block else.
    private func narrow(_ part: Range<Int>, to number: UInt32) -> Range<Int> {
        let length = Self.blockLength
        let first = (part.lowerBound + length - 1) / length
        let within = first..<max(first, (part.upperBound + length - 1) / length)
        guard let block = blocks.lastPosition(upTo: number, in: within) else {
            return part.lowerBound..<min(part.upperBound, first * length)
        }
        return block * length..<min(part.upperBound, (block + 1) * length)
    }

    /// Adds an identity that is not before the last one; returns false for any other.
    private mutating func append(_ identity: BeaconIdentity) -> Bool {
        if let uuid = uuids.last, let number = numbers.last, uuid == identity.wideUUID {
            guard number < identity.number else { return number == identity.number }
            ends[ends.count - 1] += 1
        } else {
            if let uuid = uuids.last, uuid > identity.wideUUID { return false }
            uuids.append(identity.wideUUID)
            ends.append(numbers.count + 1)
        }
        if numbers.count % Self.blockLength == 0 { blocks.append(identity.number) }
        numbers.append(identity.number)
        return true
    }

    /// All identities in order.
    private var all: [BeaconIdentity] {
        var start = 0
        return zip(uuids, ends).flatMap { uuid, end in
            defer { start = end }
            return numbers[start..<end].map { BeaconIdentity(wideUUID: uuid, number: $0) }
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

extension Array where Element: FixedWidthInteger {
    /// The position of the last element that is not above another, in an ascending part of the array.
    ///
    /// Each step counts how many of seven elements are passed: a processor mispredicts every second step of a binary
    /// search, which costs more than comparing a few elements in vain.
    fileprivate func lastPosition(upTo element: Element, in part: Range<Int>) -> Int? {
        var start = part.lowerBound
        var length = part.count
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
