/// The properties of a JPEG file's picture, read without decoding it (ITU-T T.81, annex B), and the position where the
/// picture ends.
///
/// Phones put more behind the picture: a film (motion photos), a second picture (gain maps, multi-picture format), or
/// other data. None of that is read. Each byte is read at most three times, whatever the file contains.
public struct JPEGHeader: Hashable, Sendable {
    /// The width of the stored picture in pixels, before it is turned.
    public private(set) var width = 0
    /// The height of the stored picture in pixels.
    public private(set) var height = 0
    /// The orientation; upright if the file does not state it.
    public var orientation: PhotoOrientation { firstOrientation ?? .upright }
    /// Whether the file contains more than the picture: Exif, comments, other data of applications, or bytes behind the
    /// picture.
    public private(set) var hasMetadata = false
    /// The number of parts that each refine or complete the whole picture.
    public private(set) var scans = 0
    /// The ICC profile of the picture's colours, unchecked; nil if the file has none, or a part of it is missing.
    public var profile: [UInt8]? { profileParts.joined }

    /// The number of bytes from the beginning of the file to the picture's end.
    public private(set) var length = 0
    /// The parts of the file that a decoder needs.
    private var parts: [Part] = []
    /// The identifiers of the colours; empty before the frame's header.
    private var components: [UInt8] = []
    /// Whether each scan has whole values of its colours, and not only some bits of them.
    private var isSequential = false
    /// The orientation that the first Exif segment states.
    private var firstOrientation: PhotoOrientation?
    /// The number of segments.
    private var segments = 0
    private var profileParts = ICCProfileParts()

    private enum Part: Hashable {
        /// Bytes of the file.
        case stored(Range<Int>)
        /// Bytes in place of some of the file.
        case written([UInt8])
    }

    /// - Parameter bytes: a file, or its beginning.
    /// - Throws: the reason why the file cannot become a photo.
    public init(_ bytes: [UInt8]) throws(PhotoRefusal) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.starts(with: [0xFF, JPEGMarker.startOfImage]) else { throw .notJPEG(PhotoFormat.name(of: bytes)) }
        parts = [.stored(0..<2)]
        let reader = ByteReader(bytes)
        let firstScan = try readTables(reader)
        length = try readScans(reader, from: firstScan)
        if length < bytes.count { hasMetadata = true }
        guard length <= PhotoLimits.bytes else { throw .tooLong }
        try checkSize()
    }

    /// The picture alone, as a file for a decoder: with an end, with nothing behind the picture, and with only those
    /// data of applications that affect colours.
    ///
    /// - Parameter bytes: the file that was read.
    public func picture(in bytes: [UInt8]) -> [UInt8] {
        var file: [UInt8] = []
        file.reserveCapacity(length + 2)
        for part in parts {
            switch part {
            case .stored(let range): file += bytes[range.clamped(to: bytes.indices)]
            case .written(let constant): file += constant
            }
        }
        file += [0xFF, JPEGMarker.endOfImage]
        return file
    }

    /// Reads the segments before the first scan.
    ///
    /// - Returns: the position of the first scan.
    private mutating func readTables(_ reader: ByteReader) throws(PhotoRefusal) -> Int {
        // Behind the marker of the beginning.
        var offset = 2
        var strays = 0
        while true {
            guard let mark = reader.byte(at: offset) else { throw .truncated }
            guard mark == 0xFF else {
                // Decoders skip bytes that some cameras leave between two segments.
                strays += 1
                hasMetadata = true
                guard strays <= PhotoLimits.strays else { throw .damaged }
                offset += 1
                continue
            }
            guard let code = reader.byte(at: offset + 1) else { throw .truncated }
            // Any number of 0xFF may precede a marker (B.1.1.2).
            if code == 0xFF {
                offset += 1
                continue
            }
            // Restarts, beginning and end have no parameters, and do not belong here.
            guard code >= 0xC0, !(0xD0...0xD9).contains(code) else { throw .damaged }
            if code == JPEGMarker.startOfScan { break }
            guard let segment = JPEGSegment(code, at: offset, reader) else {
                throw (reader.integer16(at: offset + 2) ?? 2) < 2 ? .damaged : .truncated
            }
            try add(segment)
            offset = segment.end
        }
        guard !components.isEmpty else { throw .damaged }
        return offset
    }

    /// Reads the scans, and the tables between them.
    ///
    /// - Returns: the position behind the picture. If the picture's end is missing and nothing else begins, this is the
    ///   end of the file.
    private mutating func readScans(_ reader: ByteReader, from firstScan: Int) throws(PhotoRefusal) -> Int {
        guard let first = JPEGSegment(JPEGMarker.startOfScan, at: firstScan, reader) else { throw .truncated }
        guard isScan(first) else { throw .damaged }
        var segment = first
        while true {
            try add(segment)
            var offset = segment.end
            if segment.code == JPEGMarker.startOfScan {
                offset = reader.marker(from: segment.end)
                keep(segment.end..<offset)
            }
            while reader.byte(at: offset) == 0xFF, reader.byte(at: offset + 1) == 0xFF { offset += 1 }
            guard reader.byte(at: offset) == 0xFF, let code = reader.byte(at: offset + 1) else {
                hasMetadata = true
                return reader.count
            }
            if code == JPEGMarker.endOfImage { return offset + 2 }
            // Bytes that only look like a segment belong to other data, which began although the picture's end is
            // missing.
            guard let next = JPEGSegment(code, at: offset, reader), next.mayFollowScan,
                code == JPEGMarker.startOfScan ? isScan(next) : reader.byte(at: next.end) == 0xFF
            else {
                hasMetadata = true
                return offset
            }
            segment = next
        }
    }

    /// Whether a scan's header fits the frame (B.2.3).
    private func isScan(_ scan: JPEGSegment) -> Bool {
        let content = ByteReader(scan.content)
        guard let count = content.byte(at: 0).map(Int.init), (1...components.count).contains(count),
            content.count == 4 + 2 * count
        else { return false }
        return (0..<count).allSatisfy { content.byte(at: 1 + 2 * $0).map(components.contains) ?? false }
    }

    /// Reads a segment, and keeps it if a decoder needs it.
    private mutating func add(_ segment: JPEGSegment) throws(PhotoRefusal) {
        segments += 1
        guard segments <= PhotoLimits.segments else { throw .tooComplex }
        switch segment.code {
        case JPEGMarker.huffmanTables, JPEGMarker.quantizationTables, JPEGMarker.restartInterval: keep(segment.range)
        // The frame's header, of any compression. 0xC8 is reserved, and 0xCC has conditions for arithmetic coding.
        case 0xC0...0xCF where ![0xC8, 0xCC].contains(segment.code):
            try readFrame(segment.code, ByteReader(segment.content))
            keep(segment.range)
        case JPEGMarker.startOfScan:
            scans += 1
            guard scans <= PhotoLimits.scans else { throw .tooManyScans }
            addScan(segment)
        case JPEGMarker.applications: readApplication(segment)
        case JPEGMarker.comment: hasMetadata = true
        default: break
        }
    }

    /// A sequential scan has no other parameters than these (table B.3). Some phones write zeros, which decoders
    /// ignore.
    private mutating func addScan(_ scan: JPEGSegment) {
        guard isSequential else { return keep(scan.range) }
        keep(scan.range.lowerBound..<scan.end - 3)
        parts.append(.written([0, 63, 0]))
    }

    /// Adds bytes of the file to the parts.
    private mutating func keep(_ range: Range<Int>) {
        if case .stored(let last)? = parts.last, last.upperBound == range.lowerBound {
            parts[parts.count - 1] = .stored(last.lowerBound..<range.upperBound)
        } else {
            parts.append(.stored(range))
        }
    }

    /// Reads data of an application. Two kinds say how colours are stored; decoders know the forms that are accepted
    /// here.
    private mutating func readApplication(_ segment: JPEGSegment) {
        let content = ByteReader(segment.content)
        let isJFIF = segment.code == 0xE0 && content.hasText(at: 0, "JFIF\0") && content.count >= 14
        if !isJFIF || content.count > 14 { hasMetadata = true }
        // Version 1 of JFIF.
        if isJFIF, content.byte(at: 5) == 1 { keep(segment.range) }
        // APP14: the colours are stored as they are, or as brightness and differences.
        if segment.code == 0xEE, content.hasText(at: 0, "Adobe"), let transform = content.byte(at: 11), transform <= 1 {
            keep(segment.range)
        }
        if segment.code == 0xE1, firstOrientation == nil {
            firstOrientation = PhotoOrientation(exif: segment.content)
        }
        if segment.code == 0xE2 { profileParts.add(segment.content) }
    }

    /// Reads the frame's header (B.2.2).
    private mutating func readFrame(_ code: UInt8, _ frame: ByteReader) throws(PhotoRefusal) {
        guard components.isEmpty, let precision = frame.byte(at: 0), let height = frame.integer16(at: 1),
            let width = frame.integer16(at: 3), let components = frame.byte(at: 5),
            frame.count == 6 + 3 * Int(components), width > 0
        else { throw .damaged }
        guard [0xC0, 0xC1, 0xC2].contains(code) else { throw .unusual("a rare compression") }
        guard precision == 8 else { throw .unusual("\(precision) bits for each colour") }
        guard height > 0 else { throw .unusual("a height that is stored at its end") }
        guard components == 1 || components == 3 else { throw .unusual("the colours of printing (CMYK)") }
        (self.width, self.height, isSequential) = (width, height, code != 0xC2)
        self.components = (0..<Int(components)).compactMap { frame.byte(at: 6 + 3 * $0) }
    }

    private func checkSize() throws(PhotoRefusal) {
        let most = scans > 1 ? PhotoLimits.pixelsInScans : PhotoLimits.pixels
        guard width * height <= most else {
            throw .tooManyPixels(megapixels: (width * height + 999_999) / 1_000_000, most: most / 1_000_000)
        }
    }
}
