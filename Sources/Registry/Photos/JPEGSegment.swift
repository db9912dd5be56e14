/// A marker of a JPEG file with its parameters (T.81, B.1.1.4).
struct JPEGSegment {
    /// The marker's second byte (``JPEGMarker``); the first is 0xFF.
    let code: UInt8
    /// Where the segment is in the file, with its marker.
    let range: Range<Int>
    /// The parameters, without their length.
    let content: ArraySlice<UInt8>

    var end: Int { range.upperBound }

    /// The segment whose marker is at an offset; nil if the file ends within it.
    init?(_ code: UInt8, at offset: Int, _ reader: ByteReader) {
        guard let length = reader.integer16(at: offset + 2), length >= 2,
            let content = reader.slice(offset + 4..<offset + 2 + length)
        else { return nil }
        self.code = code
        self.content = content
        range = offset..<offset + 2 + length
    }

    /// Whether it may be between two scans, or behind the first one: tables, another scan, a number of lines (B.2.5),
    /// data of applications, a comment.
    var mayFollowScan: Bool {
        switch code {
        case JPEGMarker.huffmanTables, JPEGMarker.quantizationTables, JPEGMarker.restartInterval: true
        case JPEGMarker.startOfScan, JPEGMarker.numberOfLines, JPEGMarker.comment, JPEGMarker.applications: true
        default: false
        }
    }
}

/// The codes of markers (T.81, table B.1).
enum JPEGMarker {
    static let huffmanTables: UInt8 = 0xC4
    static let startOfImage: UInt8 = 0xD8
    static let endOfImage: UInt8 = 0xD9
    static let startOfScan: UInt8 = 0xDA
    static let quantizationTables: UInt8 = 0xDB
    static let numberOfLines: UInt8 = 0xDC
    static let restartInterval: UInt8 = 0xDD
    static let comment: UInt8 = 0xFE
    /// Data of applications, APP0 to APP15.
    static let applications: ClosedRange<UInt8> = 0xE0...0xEF
    /// Within a scan's data.
    static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
}

extension ByteReader {
    /// The position of the marker that ends a scan's data; the end of the bytes if there is none.
    ///
    /// Within the data, a zero follows each 0xFF (B.1.1.5), and restart markers are a part of it (B.1.1.3).
    func marker(from offset: Int) -> Int {
        var offset = offset
        while let mark = position(of: 0xFF, from: offset), let code = byte(at: mark + 1) {
            switch code {
            case 0x00, JPEGMarker.restarts: offset = mark + 2
            case 0xFF: offset = mark + 1
            default: return mark
            }
        }
        return count
    }
}
