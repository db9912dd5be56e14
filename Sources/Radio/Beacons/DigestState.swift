/// SHA-256 block by block: the eight state words that pass from one block to the next (FIPS 180-4, section 6.2).
package struct DigestState: Sendable {
    /// The initial values are those of section 5.3.3.
    package private(set) var words: InlineArray<8, UInt32> = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    package init() {}

    /// Processes a block of 16 words.
    package mutating func absorb(_ block: InlineArray<16, UInt32>) {
        // The last 16 words of the message schedule: each replaces the word of 16 steps before.
        var schedule = block
        /// The value that a step adds. Each word is computed when it is needed, in parallel with the previous step.
        @inline(__always) func added(_ t: Int) -> UInt32 {
            let place = t & 15
            if t >= 16 {
                schedule[place] =
                    schedule[place] &+ Self.mix(schedule[(place + 1) & 15], 7, 18, shift: 3)
                    &+ schedule[(place + 9) & 15] &+ Self.mix(schedule[(place + 14) & 15], 17, 19, shift: 10)
            }
            return schedule[place] &+ roundConstants[t]
        }
        var (a, b, c, d) = (words[0], words[1], words[2], words[3])
        var (e, f, g, h) = (words[4], words[5], words[6], words[7])
        // After eight steps each variable is in its original place, so none needs to be moved.
        for t in stride(from: 0, to: 64, by: 8) {
            Self.step(a, b, c, &d, e, f, g, &h, added(t))
            Self.step(h, a, b, &c, d, e, f, &g, added(t + 1))
            Self.step(g, h, a, &b, c, d, e, &f, added(t + 2))
            Self.step(f, g, h, &a, b, c, d, &e, added(t + 3))
            Self.step(e, f, g, &h, a, b, c, &d, added(t + 4))
            Self.step(d, e, f, &g, h, a, b, &c, added(t + 5))
            Self.step(c, d, e, &f, g, h, a, &b, added(t + 6))
            Self.step(b, c, d, &e, f, g, h, &a, added(t + 7))
        }
        words[0] &+= a
        words[1] &+= b
        words[2] &+= c
        words[3] &+= d
        words[4] &+= e
        words[5] &+= f
        words[6] &+= g
        words[7] &+= h
    }

    /// The state as 32 bytes: the digest, once the padded last block is processed.
    package var bytes: [UInt8] {
        (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 4] >> UInt32(24 - $0 % 4 * 8)) }
    }

    /// One step of section 6.2.2, with the variables already in the places that they have in this step.
    @inline(__always)
    private static func step(
        _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
        _ h: inout UInt32, _ added: UInt32
    ) {
        // Computing choice and majority first makes the compiled code a seventh slower.
        let first = h &+ mix(e, 6, 11, 25) &+ (g ^ (e & (f ^ g))) &+ added
        d &+= first
        h = first &+ mix(a, 2, 13, 22) &+ ((a & b) | (c & (a | b)))
    }

    /// Σ of section 4.1.2: the word, rotated right by three counts, combined.
    @inline(__always)
    private static func mix(_ x: UInt32, _ one: UInt32, _ two: UInt32, _ three: UInt32) -> UInt32 {
        rotate(x, one) ^ rotate(x, two) ^ rotate(x, three)
    }

    /// σ of section 4.1.2: the word, rotated right by two counts and shifted by a third, combined.
    @inline(__always)
    private static func mix(_ x: UInt32, _ one: UInt32, _ two: UInt32, shift: UInt32) -> UInt32 {
        rotate(x, one) ^ rotate(x, two) ^ (x &>> shift)
    }

    @inline(__always)
    private static func rotate(_ x: UInt32, _ count: UInt32) -> UInt32 { x &>> count | x &<< (32 &- count) }
}

/// K of section 4.2.2, one word for each step.
private let roundConstants: InlineArray<64, UInt32> = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
]
