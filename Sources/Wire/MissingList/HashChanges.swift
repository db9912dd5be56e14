/// What left and joined a list of truncated hashes.
public struct HashChanges: Hashable, Sendable {
    public var removed: [TruncatedHash]
    public var added: [TruncatedHash]

    public init(removed: [TruncatedHash] = [], added: [TruncatedHash] = []) {
        self.removed = removed
        self.added = added
    }

    public var count: Int { removed.count + added.count }
    public var isEmpty: Bool { count == 0 }

    /// The changes from one list to another, ascending.
    public init(from old: TruncatedHashes, to new: TruncatedHashes) {
        (removed, added) = ([], [])
        var (left, right) = (old.makeIterator(), new.makeIterator())
        var (gone, come) = (left.next(), right.next())
        while gone != nil || come != nil {
            switch (gone, come) {
            case (let hash?, let other?) where hash == other: (gone, come) = (left.next(), right.next())
            case (let hash?, let other) where other.map({ hash < $0 }) ?? true:
                removed.append(hash)
                gone = left.next()
            case (_, let hash?):
                added.append(hash)
                come = right.next()
            default: return
            }
        }
    }
}

extension HashChanges {
    /// Changes one after the other, as one: a hash that left and came back is in neither array.
    public init(adding steps: [HashChanges]) {
        var differences: [TruncatedHash: Int] = [:]
        for step in steps {
            for hash in step.removed { differences[hash, default: 0] -= 1 }
            for hash in step.added { differences[hash, default: 0] += 1 }
        }
        removed = differences.filter { $0.value < 0 }.map(\.key)
        added = differences.filter { $0.value > 0 }.map(\.key)
    }
}

extension TruncatedHash {
    /// The five bytes of each hash, big-endian.
    public static func packed(_ hashes: [TruncatedHash]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hashes.count * 5)
        for hash in hashes {
            for shift in stride(from: 32 as UInt64, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: hash.value >> shift))
            }
        }
        return bytes
    }

    /// The hashes of ``packed(_:)``; nil unless the number of bytes fits.
    public static func unpacked(_ bytes: some Collection<UInt8>) -> [TruncatedHash]? {
        guard bytes.count.isMultiple(of: 5) else { return nil }
        var hashes: [TruncatedHash] = []
        hashes.reserveCapacity(bytes.count / 5)
        var value: UInt64 = 0
        var count = 0
        for byte in bytes {
            value = value << 8 | UInt64(byte)
            count += 1
            guard count == 5 else { continue }
            hashes.append(TruncatedHash(value: value))
            (value, count) = (0, 0)
        }
        return hashes
    }
}
