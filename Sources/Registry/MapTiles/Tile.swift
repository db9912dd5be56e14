/// The image of a tile.
public struct Tile: Hashable, Sendable {
    public let bytes: [UInt8]
    public let format: TileFormat

    /// The maximum size in bytes. Maps have tiles of 5 to 60 kB, satellite images up to 200 kB.
    public static let maximumSize = 512 << 10

    /// The tile of an image; nil if it is too large, or not an image of a known format.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumSize, let format = TileFormat(signatureOf: bytes) else { return nil }
        self.bytes = bytes
        self.format = format
    }

    /// A checksum that differs for different images.
    public var checksum: UInt64 { Checksum.of(bytes) }
}

/// The 64-bit FNV-1a hash: it finds damage, but does not protect from forgery.
public enum Checksum {
    public static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// A hash as 16 hexadecimal digits.
    public static func text(_ hash: UInt64) -> String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
