import Glibc
import Simulation

extension SplitMix64 {
    /// exp(−x).
    static func decay(_ value: Double) -> Double { exp(-value) }

    /// A hash of a bike’s seed, a station’s key and a counter as a number in 0 ..< 1, so that a station more or less changes
    /// no other chance.
    @inline(__always)
    static func chance(_ seed: UInt64, _ station: UInt64, _ counter: Int) -> Double {
        let key =
            seed &+ station &* 0xD6E8_FEB8_6659_FD93
            &+ UInt64(truncatingIfNeeded: counter) &* 0xA076_1D64_78BD_642F
        return Double(mix(mix(key)) >> 11) * 0x1p-53
    }
}
