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

/// The format of a tile's image, by its first bytes, whatever the sender calls the format.
public enum TileFormat: String, CaseIterable, Hashable, Sendable {
    case png, jpeg, webp

    /// The format of an image; nil if it is none of these.
    public init?(signatureOf bytes: some Collection<UInt8>) {
        let start = Array(bytes.prefix(12))
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if start.count == 12, start.starts(with: "RIFF".utf8), start[8...].elementsEqual("WEBP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }

    /// The IANA media type.
    public var mediaType: String { "image/\(rawValue)" }
}

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
