/// Files in one ZIP archive (PKWARE APPNOTE 6.3.10): stored, without compression, paths, comments or times.
///
/// The same files always give the same bytes, and a reader accepts only these bytes. So a signature over the contents
/// covers every byte of the archive.
public struct ZIPArchive: Hashable, Sendable {
    public var files: [ArchiveFile]

    /// The maximum number of files that a reader accepts.
    public static let maximumFiles = 64
    /// The maximum length of an archive in bytes: larger than the largest evidence pack,
    /// small enough to fit in memory.
    public static let maximumLength = 256 << 20

    public init(files: [ArchiveFile]) { self.files = files }

    /// The archive: each file after its local header, then the central directory and its end.
    public var bytes: [UInt8] {
        var archive: [UInt8] = []
        archive.reserveCapacity(length)
        var directory: [UInt8] = []
        for file in files {
            let entry = Entry(file, offset: archive.count)
            archive += entry.localHeader
            archive += file.content
            directory += entry.directoryHeader
        }
        let offset = archive.count
        archive += directory
        archive += Self.end(count: files.count, directory: directory.count, offset: offset)
        return archive
    }

    /// The length of the archive in bytes.
    private var length: Int {
        files.reduce(Self.endLength) { sum, file in
            // Both headers of a file contain its name.
            let headers = Self.localHeaderLength + Self.directoryHeaderLength + 2 * file.name.utf8.count
            return sum + headers + file.content.count
        }
    }

    /// The length of a central directory header in bytes, without the file's name.
    private static let directoryHeaderLength = 46
    /// The length of the end of central directory record in bytes.
    private static let endLength = 22

    /// The end of central directory record (section 4.3.16).
    ///
    /// - Parameters:
    ///   - count: the number of files.
    ///   - directory: the length of the central directory in bytes.
    ///   - offset: its position in the archive.
    private static func end(count: Int, directory: Int, offset: Int) -> [UInt8] {
        var end = LittleEndianBytes()
        end.add(0x0605_4B50 as UInt32)  // signature
        end.add(0 as UInt32)  // the only disk
        end.add(UInt16(truncatingIfNeeded: count))
        end.add(UInt16(truncatingIfNeeded: count))
        end.add(UInt32(truncatingIfNeeded: directory))
        end.add(UInt32(truncatingIfNeeded: offset))
        end.add(0 as UInt16)  // no comment
        return end.bytes
    }
}

/// The headers of a file.
private struct Entry {
    let file: ArchiveFile
    let checksum: UInt32
    /// The position of the local header in the archive.
    let offset: Int

    init(_ file: ArchiveFile, offset: Int) {
        self.file = file
        self.offset = offset
        checksum = CRC32.checksum(file.content)
    }

    /// The local file header (section 4.3.7).
    var localHeader: [UInt8] {
        var header = LittleEndianBytes()
        header.add(ZIPArchive.localSignature)
        addCommon(to: &header)
        return header.bytes + file.name.utf8
    }

    /// The central directory header (section 4.3.12): version 2.0 on Unix; a regular file that all users can read.
    var directoryHeader: [UInt8] {
        var header = LittleEndianBytes()
        header.add(0x0201_4B50 as UInt32)  // signature
        header.add(0x0314 as UInt16)  // made by version 2.0 on Unix
        addCommon(to: &header)
        header.add(0 as UInt32)  // no comment, the only disk
        header.add(0 as UInt16)  // internal attributes
        header.add(0o100644 << 16 as UInt32)  // external attributes: the mode
        header.add(UInt32(truncatingIfNeeded: offset))
        return header.bytes + file.name.utf8
    }

    /// Adds the fields from the required version, 1.0, to the length of the extra field.
    /// The time is the earliest possible.
    private func addCommon(to header: inout LittleEndianBytes) {
        header.add(10 as UInt16)  // version 1.0
        header.add(0 as UInt32)  // no flags, stored
        header.add(0x0021_0000 as UInt32)  // 1980-01-01 00:00:00
        header.add(checksum)
        header.add(UInt32(truncatingIfNeeded: file.content.count))
        header.add(UInt32(truncatingIfNeeded: file.content.count))
        header.add(UInt16(truncatingIfNeeded: file.name.utf8.count))
        header.add(0 as UInt16)  // no extra field
    }
}

/// Numbers, one after the other, with the lowest byte first.
private struct LittleEndianBytes {
    var bytes: [UInt8] = []

    mutating func add(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

/// The ZIP checksum (ISO 3309; reflected polynomial 0xEDB88320). It detects accidental damage, not tampering.
enum CRC32 {
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in sum >> 8 ^ table[Int((sum ^ UInt32(byte)) & 0xFF)] }
    }

    /// The checksum of each single byte, without the inversions before and after.
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
    }
}
