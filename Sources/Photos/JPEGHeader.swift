/// The header of a JPEG file, read without decoding the picture (ITU-T T.81, annex B).
///
/// Each byte is read at most twice, whatever the file contains.
public struct JPEGHeader: Hashable, Sendable {
    public private(set) var width = 0
    public private(set) var height = 0
    /// The orientation; upright if the file does not state it.
    public private(set) var orientation = PhotoOrientation.upright
    /// Whether the file contains more than the picture: Exif, comments, or other data of applications.
    public private(set) var hasMetadata = false
    /// The number of parts that each refine or complete the whole picture.
    public private(set) var scans = 0

    private var components = 0

    /// - Throws: the reason why the file cannot become a photo.
    public init(_ bytes: [UInt8]) throws(PhotoRefusal) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= PhotoLimits.bytes else { throw .tooLong }
        guard bytes.starts(with: [0xFF, 0xD8]) else { throw .notJPEG(PhotoFormat.name(of: bytes)) }
        let firstScan = try readSegments(ByteReader(bytes))
        guard components > 0 else { throw .damaged }
        scans = Self.scans(in: bytes[firstScan...])
        try checkSize()
    }

    /// Reads the segments before the first scan.
    ///
    /// - Returns: the position of the first scan.
    private mutating func readSegments(_ reader: ByteReader) throws(PhotoRefusal) -> Int {
        var (offset, isOriented) = (2, false)
        while true {
            guard let mark = reader.byte(at: offset) else { throw .truncated }
            guard mark == 0xFF else { throw .damaged }
            guard let code = reader.byte(at: offset + 1) else { throw .truncated }
            // Any number of 0xFF may precede a marker (B.1.1.2).
            if code == 0xFF {
                offset += 1
                continue
            }
            if code == 0xDA { return offset }
            guard code >= 0xC0, !(0xD0...0xD9).contains(code) else { throw .damaged }
            guard let length = reader.integer16(at: offset + 2) else { throw .truncated }
            guard length >= 2 else { throw .damaged }
            guard let segment = reader.slice(offset + 4..<offset + 2 + length) else { throw .truncated }
            switch code {
            case 0xC4, 0xC8, 0xCC: break
            case 0xC0...0xCF: try readFrame(code, ByteReader(segment))
            case 0xE1:
                hasMetadata = true
                if !isOriented, let orientation = PhotoOrientation(exif: segment) {
                    (self.orientation, isOriented) = (orientation, true)
                }
            case 0xE2...0xEF, 0xFE: hasMetadata = true
            default: break
            }
            offset += 2 + length
        }
    }

    /// Reads the frame's header (B.2.2).
    private mutating func readFrame(_ code: UInt8, _ frame: ByteReader) throws(PhotoRefusal) {
        guard components == 0, let precision = frame.byte(at: 0), let height = frame.integer16(at: 1),
            let width = frame.integer16(at: 3), let components = frame.byte(at: 5),
            frame.count == 6 + 3 * Int(components), width > 0
        else { throw .damaged }
        guard [0xC0, 0xC1, 0xC2].contains(code) else { throw .unusual("a rare compression") }
        guard precision == 8 else { throw .unusual("\(precision) bits for each colour") }
        guard height > 0 else { throw .unusual("a height that is stored at its end") }
        guard components == 1 || components == 3 else { throw .unusual("the colours of printing (CMYK)") }
        (self.width, self.height, self.components) = (width, height, Int(components))
    }

    /// Counts the scans. Within a scan, a zero follows each 0xFF that is data (B.1.1.5), so only markers match, and in
    /// rare cases the bytes of a table between two scans.
    private static func scans(in bytes: ArraySlice<UInt8>) -> Int {
        var (count, isMark) = (0, false)
        for byte in bytes {
            if isMark, byte == 0xDA { count += 1 }
            isMark = byte == 0xFF
        }
        return count
    }

    private func checkSize() throws(PhotoRefusal) {
        guard scans <= PhotoLimits.scans else { throw .tooManyScans }
        let most = scans > 1 ? PhotoLimits.pixelsInScans : PhotoLimits.pixels
        guard width * height <= most else {
            throw .tooManyPixels(megapixels: (width * height + 999_999) / 1_000_000, most: most / 1_000_000)
        }
    }
}
