/// The 64-bit FNV-1a hash: it finds damage, but does not protect from forgery.
public enum Checksum {
    /// The hash of bytes, in their order.
    public static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// A hash as 16 hexadecimal digits.
    public static func text(_ hash: UInt64) -> String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
