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

    /// The length of the second part of a hash in bits.
    private static let restBits: UInt64 = 24
    /// The number of different first halves, of 16 bits.
    private static let halfCount = 65_536

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

    /// The number of hashes.
    public var count: Int { rests.count / 3 }

    public func contains(_ hash: TruncatedHash) -> Bool {
        let rank = rank(of: hash)
        return rank < Int(starts[Self.half(of: hash) + 1]) && rest(at: rank) == Self.rest(of: hash)
    }

    /// The number of hashes that a look-up compares one by one rather than by halving.
    private static let longestScan = 16

    /// The number of hashes in the set that are lower: the index of the hash, if it is in the set.
    public func rank(of hash: TruncatedHash) -> Int {
        let half = Self.half(of: hash)
        var (start, end) = (Int(starts[half]), Int(starts[half + 1]))
        let wanted = Self.rest(of: hash)
        while end - start > Self.longestScan {
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
    /// - Throws: `malformed` if an added hash is in the set.
    func changed(removing removed: [UInt64], adding added: [TruncatedHash]) throws(ListCodingError) -> TruncatedHashes {
        var builder = Builder()
        builder.reserveCapacity(count - removed.count + added.count)
        var removed = removed[...]
        var added = added[...]
        var index: UInt64 = 0
        for hash in self {
            defer { index += 1 }
            if removed.first == index {
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

    /// The first 16 bits of a hash.
    private static func half(of hash: TruncatedHash) -> Int { Int(hash.value >> restBits) }

    /// The last 24 bits of a hash.
    private static func rest(of hash: TruncatedHash) -> UInt32 { UInt32(hash.value & 0xFF_FFFF) }

    /// The last 24 bits of the hash at an index.
    private func rest(at index: Int) -> UInt32 { rests.span.bytes.bigEndian(index * 3, as: UInt32.self) >> 8 }

    /// Builds a set from distinct hashes in ascending order.
    struct Builder {
        private var set = TruncatedHashes()
        private(set) var count = 0

        /// Appends a hash. The caller ensures the order.
        mutating func append(_ hash: TruncatedHash) {
            beginHalves(upTo: TruncatedHashes.half(of: hash))
            let rest = TruncatedHashes.rest(of: hash)
            set.rests.append(UInt8(truncatingIfNeeded: rest >> 16))
            set.rests.append(UInt8(truncatingIfNeeded: rest >> 8))
            set.rests.append(UInt8(truncatingIfNeeded: rest))
            count += 1
        }

        /// Notes that all halves up to this one begin at the next hash, unless they have begun.
        private mutating func beginHalves(upTo half: Int) {
            while set.starts.count <= half { set.starts.append(UInt32(count)) }
        }

        /// Reserves memory for a number of hashes.
        mutating func reserveCapacity(_ capacity: Int) {
            set.starts.reserveCapacity(TruncatedHashes.halfCount + 1)
            set.rests.reserveCapacity(capacity * 3 + 1)
        }

        consuming func finish() -> TruncatedHashes {
            beginHalves(upTo: TruncatedHashes.halfCount)
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
        /// The first half of the hash at the index, or a lower one.
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
