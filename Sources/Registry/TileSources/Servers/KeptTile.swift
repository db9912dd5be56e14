import MapTiles

/// A tile as kept on disk, with the data that are needed to request a newer one.
struct KeptTile: Hashable, Sendable {
    var tile: Tile
    /// In seconds since the Unix epoch; afterwards the server must be asked whether the tile has changed.
    var freshUntil: Int64
    /// The server's `ETag`.
    var entityTag: String?
    /// The server's `Last-Modified`.
    var lastModified: String?
}

// The form of a file: its first bytes, a checksum of the rest, the time until which the tile is fresh, the lengths of
// the two texts, the texts, and the image. All numbers are big-endian.
extension KeptTile {
    private static let magic = Array("FMBTILE1".utf8)
    private static let headerSize = magic.count + 8 + 8 + 2 + 2
    /// A longer text of a server is dropped.
    private static let textLimit = 200

    /// The size of the largest file in bytes.
    static let maximumSize = headerSize + 2 * textLimit + Tile.maximumSize

    /// The content of the tile's file.
    var bytes: [UInt8] {
        let texts = [entityTag, lastModified].map { Array(Self.usable($0 ?? "").utf8) }
        var rest = Self.bytes(of: UInt64(bitPattern: freshUntil))
        for text in texts { rest += Self.bytes(of: UInt16(clamping: text.count)) }
        for text in texts { rest += text }
        rest += tile.bytes
        return Self.magic + Self.bytes(of: Checksum.of(rest)) + rest
    }

    /// Reads a file; nil unless it is complete and undamaged.
    init?(bytes: [UInt8]) {
        guard (Self.headerSize...Self.maximumSize).contains(bytes.count), bytes.starts(with: Self.magic) else {
            return nil
        }
        var rest = bytes[Self.magic.count...]
        guard Self.number(8, from: &rest) == Checksum.of(rest) else { return nil }
        let freshUntil = Int64(bitPattern: Self.number(8, from: &rest))
        let lengths = [Int(Self.number(2, from: &rest)), Int(Self.number(2, from: &rest))]
        guard lengths.allSatisfy({ $0 <= Self.textLimit }), lengths[0] + lengths[1] <= rest.count else { return nil }
        var texts: [String] = []
        for length in lengths {
            texts.append(String(decoding: rest.prefix(length), as: UTF8.self))
            rest = rest.dropFirst(length)
        }
        guard let tile = Tile(Array(rest)) else { return nil }
        self.init(
            tile: tile, freshUntil: freshUntil, entityTag: texts[0].isEmpty ? nil : texts[0],
            lastModified: texts[1].isEmpty ? nil : texts[1])
    }

    /// A text that can be sent back in a header field; empty if it cannot.
    static func usable(_ text: String) -> String {
        let isPlain = text.utf8.count <= textLimit && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        return isPlain ? text : ""
    }

    private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// Takes a number of this many bytes, at most 8, off the beginning.
    private static func number(_ count: Int, from bytes: inout ArraySlice<UInt8>) -> UInt64 {
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
