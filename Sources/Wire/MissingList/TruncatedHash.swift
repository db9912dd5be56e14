public import Beacons

/// The first 40 bits of the SHA-256 of an identity's 20 transmitted bytes, which represent a beacon on the missing
/// list.
///
/// With a million listed beacons, about one foreign beacon in a million has the hash of a listed one. So a match is a
/// candidate, and the registry's response to the report is the exact check. The hash makes the list small; it hides
/// nothing, because all identities of a region can be tried.
public struct TruncatedHash: Hashable, Sendable {
    /// The hash, less than 2^40.
    public let value: UInt64

    /// The highest value plus one.
    static let limit: UInt64 = 1 << 40

    init(value: UInt64) { self.value = value }

    /// The hash of an identity.
    public init(of identity: BeaconIdentity) {
        // Twenty bytes and the padding fit into one block: a one after them, and at its end their length of 160 bits
        // (FIPS 180-4, section 5.1.1).
        var block = InlineArray<16, UInt32>(repeating: 0)
        block[0] = UInt32(truncatingIfNeeded: identity.uuid.high >> 32)
        block[1] = UInt32(truncatingIfNeeded: identity.uuid.high)
        block[2] = UInt32(truncatingIfNeeded: identity.uuid.low >> 32)
        block[3] = UInt32(truncatingIfNeeded: identity.uuid.low)
        block[4] = UInt32(identity.major) << 16 | UInt32(identity.minor)
        block[5] = 0x8000_0000
        block[15] = 160
        var state = DigestState()
        state.absorb(block)
        value = UInt64(state.words[0]) << 8 | UInt64(state.words[1] >> 24)
    }
}

extension TruncatedHash: Comparable {
    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}
