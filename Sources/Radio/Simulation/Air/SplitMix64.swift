/// A small seeded generator: SplitMix64 (Steele, Lea, Flood, “Fast Splittable Pseudorandom Number Generators”, 2014).
///
/// The deviates below use only comparisons and exact arithmetic, never the library's distributions or transcendental
/// functions, whose results may differ between versions and machines: a run must be reproducible bit for bit.
public struct SplitMix64: Hashable, Sendable {
    @usableFromInline var state: UInt64

    @inlinable
    public init(seed: UInt64) {
        state = seed
    }

    /// The stream of one named source, independent of all others, so that adding a source does not change them.
    public init(seed: UInt64, stream name: String) {
        // FNV-1a, 64 bit (IETF draft-eastlake-fnv): the same in every process, unlike Hasher.
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        state = Self.mix(Self.mix(seed) ^ hash)
    }

    @inlinable
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    /// The finaliser of the generator: a hash of 64 bits.
    @inlinable
    public static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension SplitMix64 {
    /// A uniform integer in 0 ..< bound; 0 for a bound of 0. The bias is below bound / 2⁶⁴.
    @inlinable
    public mutating func next(below bound: UInt64) -> UInt64 {
        next().multipliedFullWidth(by: bound).high
    }

    /// A uniform number in 0 ..< 1, in steps of 2⁻⁵³.
    @inlinable
    public mutating func uniform() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// A nearly normal number with mean 0 and deviation 1, never beyond ±6: the sum of twelve uniform deviates of 16
    /// bits.
    public mutating func normal() -> Double {
        var sum: UInt64 = 0
        for _ in 0..<3 {
            let word = next()
            sum += (word & 0xFFFF) + (word >> 16 & 0xFFFF) + (word >> 32 & 0xFFFF) + word >> 48
        }
        return (Double(sum) - 12 * 32_767.5) / 65_536
    }

    /// An exponential number with mean 1, from comparisons alone
    /// (J. von Neumann, “Various techniques used in connection with random digits”, 1951).
    public mutating func exponential() -> Double {
        var whole = 0.0
        while true {
            let first = uniform()
            var previous = first
            var length = 1
            while true {
                let deviate = uniform()
                guard deviate < previous else { break }
                (previous, length) = (deviate, length + 1)
            }
            // A descending run from x has an odd length with probability exp(−x).
            if length % 2 == 1 { return whole + first }
            whole += 1
        }
    }
}
