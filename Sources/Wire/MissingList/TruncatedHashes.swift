import Beacons

/// A sorted set of truncated hashes: 3 bytes each, and a 256 kB index of the positions where each of the 65,536 first
/// halves begins.
///
/// Hashes are evenly distributed, so a look-up waits for memory twice, whatever the size: a set of a million has about
/// sixteen hashes per first half.
public struct TruncatedHashes: Sendable {
    /// For each first half, and for one more, the number of hashes with a lower first half.
    private var starts: [UInt32] = []
    /// The last 24 bits of each hash, big-endian, and one extra byte at the end, since four bytes are read together.
    private var rests: [UInt8] = []

    private static let restBits: UInt64 = 24

    /// Creates a set from hashes in any order; duplicates count once.
    public init(_ hashes: some Sequence<TruncatedHash>) {
        // Copied to an array, since sorting is many times as fast if the compiler knows all types.
        var sorted = Array(hashes)
        sorted.sort()
        var builder = Builder()
        var last: TruncatedHash?
        for hash in sorted where hash != last {
            builder.append(hash)
            last = hash
        }
        self = builder.finish()
    }

    public var count: Int { rests.count / 3 }

    public func contains(_ hash: TruncatedHash) -> Bool {
        let rank = rank(of: hash)
        return rank < Int(starts[Self.half(of: hash) + 1]) && rest(at: rank) == Self.rest(of: hash)
    }

    /// The number of hashes in the set that are lower.
    public func rank(of hash: TruncatedHash) -> Int {
        let half = Self.half(of: hash)
        var (start, end) = (Int(starts[half]), Int(starts[half + 1]))
        let wanted = Self.rest(of: hash)
        while end - start > 16 {
            let middle = (start + end) / 2
            if rest(at: middle) < wanted { start = middle + 1 } else { end = middle }
        }
        // A processor mispredicts every second step of a binary search: a few unneeded comparisons are cheaper.
        var lower = 0
        for index in start..<end { lower += rest(at: index) < wanted ? 1 : 0 }
        return start + lower
    }

    /// The set after removing and adding hashes, in one pass.
    ///
    /// - Parameters:
    ///   - removed: indices of hashes, ascending.
    ///   - added: hashes that are not in the set, ascending.
    func changed(removing removed: [UInt64], adding added: [TruncatedHash]) throws(ListCodingError) -> TruncatedHashes {
        var builder = Builder()
        builder.reserveCapacity(count - removed.count + added.count)
        var removed = removed[...]
        var added = added[...]
        var place: UInt64 = 0
        for hash in self {
            defer { place += 1 }
            if removed.first == place {
                removed.removeFirst()
                continue
            }
            while let next = added.first, next < hash {
                builder.append(next)
                added.removeFirst()
            }
            guard added.first != hash else { throw .malformed }
            builder.append(hash)
        }
        for hash in added { builder.append(hash) }
        return builder.finish()
    }

    /// SHA-256 of all hashes, ascending, 5 bytes each, big-endian.
    var digest: [UInt8] {
        var digest = MessageDigest()
        for hash in self {
            for shift in stride(from: 32 as UInt64, through: 0, by: -8) {
                digest.append(UInt8(truncatingIfNeeded: hash.value >> shift))
            }
        }
        return digest.finish()
    }

    private static func half(of hash: TruncatedHash) -> Int { Int(hash.value >> restBits) }

    private static func rest(of hash: TruncatedHash) -> UInt32 { UInt32(hash.value & 0xFF_FFFF) }

    private func rest(at index: Int) -> UInt32 { rests.span.bytes.bigEndian(index * 3, as: UInt32.self) >> 8 }

    /// Builds a set from distinct hashes in ascending order.
    struct Builder {
        private var set = TruncatedHashes()
        private(set) var count = 0

        /// Appends a hash. The caller ensures the order.
        mutating func append(_ hash: TruncatedHash) {
            begin(halvesUpTo: TruncatedHashes.half(of: hash))
            let rest = TruncatedHashes.rest(of: hash)
            set.rests.append(UInt8(truncatingIfNeeded: rest >> 16))
            set.rests.append(UInt8(truncatingIfNeeded: rest >> 8))
            set.rests.append(UInt8(truncatingIfNeeded: rest))
            count += 1
        }

        private mutating func begin(halvesUpTo half: Int) {
            while set.starts.count <= half { set.starts.append(UInt32(count)) }
        }

        mutating func reserveCapacity(_ capacity: Int) {
            set.starts.reserveCapacity(65_537)
            set.rests.reserveCapacity(capacity * 3 + 1)
        }

        consuming func finish() -> TruncatedHashes {
            begin(halvesUpTo: 65_536)
            set.rests.append(0)
            return set
        }
    }

    private init() {}
}

extension TruncatedHashes: Sequence {
    /// The hashes in ascending order.
    public struct Iterator: IteratorProtocol {
        private let set: TruncatedHashes
        private var index = 0
        private var half = 0

        init(_ set: TruncatedHashes) { self.set = set }

        public mutating func next() -> TruncatedHash? {
            guard index < set.count else { return nil }
            while set.starts[half + 1] <= UInt32(index) { half += 1 }
            defer { index += 1 }
            return TruncatedHash(value: UInt64(half) << TruncatedHashes.restBits | UInt64(set.rest(at: index)))
        }
    }

    public func makeIterator() -> Iterator { Iterator(self) }

    public var underestimatedCount: Int { count }
}
