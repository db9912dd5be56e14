/// What left and joined a list of truncated hashes.
public struct HashChanges: Hashable, Sendable {
    public var removed: [TruncatedHash]
    public var added: [TruncatedHash]

    public init(removed: [TruncatedHash] = [], added: [TruncatedHash] = []) {
        self.removed = removed
        self.added = added
    }

    /// The number of hashes in both arrays.
    public var count: Int { removed.count + added.count }
    public var isEmpty: Bool { count == 0 }

    /// The changes from one list to another, ascending.
    public init(from old: TruncatedHashes, to new: TruncatedHashes) {
        (removed, added) = ([], [])
        // Both lists are ascending, so the lower of their next hashes is in one of them only.
        var (oldHashes, newHashes) = (old.makeIterator(), new.makeIterator())
        var (nextOld, nextNew) = (oldHashes.next(), newHashes.next())
        while let oldHash = nextOld, let newHash = nextNew {
            if oldHash < newHash { removed.append(oldHash) }
            if newHash < oldHash { added.append(newHash) }
            if oldHash <= newHash { nextOld = oldHashes.next() }
            if newHash <= oldHash { nextNew = newHashes.next() }
        }
        while let hash = nextOld {
            removed.append(hash)
            nextOld = oldHashes.next()
        }
        while let hash = nextNew {
            added.append(hash)
            nextNew = newHashes.next()
        }
    }
}

extension HashChanges {
    /// Changes one after the other, as one: a hash that left and came back is in neither array. The order is undefined.
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
    /// The length of a hash in bytes.
    private static let byteCount = 5

    /// The five bytes of each hash, big-endian.
    public static func packed(_ hashes: [TruncatedHash]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hashes.count * byteCount)
        for hash in hashes {
            for shift in stride(from: 32 as UInt64, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: hash.value >> shift))
            }
        }
        return bytes
    }

    /// The hashes of ``packed(_:)``; nil if the number of bytes is not a multiple of five.
    public static func unpacked(_ bytes: some Collection<UInt8>) -> [TruncatedHash]? {
        guard bytes.count.isMultiple(of: byteCount) else { return nil }
        var hashes: [TruncatedHash] = []
        hashes.reserveCapacity(bytes.count / byteCount)
        var value: UInt64 = 0
        var count = 0
        for byte in bytes {
            value = value << 8 | UInt64(byte)
            count += 1
            guard count == byteCount else { continue }
            hashes.append(TruncatedHash(value: value))
            (value, count) = (0, 0)
        }
        return hashes
    }
}
