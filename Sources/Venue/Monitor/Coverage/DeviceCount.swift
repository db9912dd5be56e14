import Beacons
import Foundation

/// An estimate of the number of different addresses, which keeps no address (linear counting).
///
/// Each address sets one bit, which a hash with a salt chooses. So the bits do not show which addresses were heard,
/// only how many, within about 2 % up to 10,000.
struct DeviceCount: Sendable {
    /// The number of bits; a power of two.
    static let bits = 1 << 14

    private let salt: UInt64
    private var words = [UInt64](repeating: 0, count: bits / 64)

    /// - Parameter salt: a random number, a new one for each count.
    init(salt: UInt64) { self.salt = salt }

    mutating func insert(_ address: BluetoothAddress, _ kind: BluetoothAddress.Kind) {
        // The upper 14 bits of the hash.
        let bit = Int(Self.mixed((address.value | UInt64(kind.rawValue) << 48) ^ salt) >> 50)
        words[bit / 64] |= 1 << UInt64(bit % 64)
    }

    /// The number of different addresses; about 159,000 if all bits are set, however many there were.
    var estimate: Int {
        let empty = words.reduce(0) { $0 + (~$1).nonzeroBitCount }
        // If all bits are set, the number is beyond what can be estimated.
        let share = Double(max(empty, 1)) / Double(Self.bits)
        return Int((-log(share) * Double(Self.bits)).rounded())
    }

    /// The finaliser of SplitMix64 (Steele, Lea, Flood 2014), in which each bit depends on all others.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
