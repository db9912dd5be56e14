/// The format of a picture, by the first bytes of its file.
enum PhotoFormat {
    /// Signatures at the beginning of files (RFC 6713 and the formats' specifications).
    private static let signatures: [(bytes: [UInt8], name: String)] = [
        ([0x89, 0x50, 0x4E, 0x47], "a PNG picture"),
        (Array("GIF8".utf8), "a GIF picture"),
        ([0x49, 0x49, 0x2A, 0x00], "a TIFF or raw photo"),
        ([0x4D, 0x4D, 0x00, 0x2A], "a TIFF or raw photo"),
        (Array("BM".utf8), "a BMP picture"),
        (Array("%PDF".utf8), "a PDF document"),
        (Array("<svg".utf8), "an SVG picture"),
        ([0xFF, 0x0A], "a JPEG XL picture"),
        ([0x00, 0x00, 0x00, 0x0C, 0x6A, 0x50], "a JPEG 2000 picture"),
        (Array("PK".utf8), "a ZIP archive"),
    ]

    /// The name of a format other than JPEG, with its article, for ``PhotoRefusal/notJPEG(_:)``; nil if it is not
    /// known.
    static func name(of bytes: [UInt8]) -> String? {
        if let known = signatures.first(where: { bytes.starts(with: $0.bytes) }) { return known.name }
        let reader = ByteReader(bytes)
        if reader.hasText(at: 0, "RIFF"), reader.hasText(at: 8, "WEBP") { return "a WebP picture" }
        guard reader.hasText(at: 4, "ftyp") else { return nil }
        if reader.hasText(at: 8, "avif") { return "an AVIF picture" }
        if ["heic", "heix", "mif1", "heim", "hevc"].contains(where: { reader.hasText(at: 8, $0) }) {
            return "a HEIC photo"
        }
        return "a film"
    }
}
