import Beacons

/// SHA-256 of bytes that are added one by one (FIPS 180-4, sections 5 and 6.2).
struct MessageDigest: Sendable {
    private var state = DigestState()
    /// The current block of 64 bytes, as big-endian words.
    private var block = InlineArray<16, UInt32>(repeating: 0)
    /// The number of bytes so far.
    private var length: UInt64 = 0

    mutating func append(_ byte: UInt8) {
        let word = Int(length / 4 % 16)
        block[word] = block[word] << 8 | UInt32(byte)
        length += 1
        if length % 64 == 0 { state.absorb(block) }
    }

    /// The digest of all bytes so far: 32 bytes.
    consuming func finish() -> [UInt8] {
        // The padding of section 5.1.1: a one, zeros, and the length in bits at the end of a block.
        let bits = length * 8
        append(0x80)
        while length % 64 != 56 { append(0) }
        for shift in stride(from: 56 as UInt64, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: bits >> shift)) }
        return state.bytes
    }
}
