/// Files in one ZIP archive (PKWARE APPNOTE 6.3.10): stored, without compression, paths, comments or times.
///
/// The same files give the same bytes, and a reader takes no archive but one that these bytes are of: so there is no
/// byte in it that a signature over the contents does not cover.
public struct ZIPArchive: Hashable, Sendable {
    public var files: [ArchiveFile]

    /// What a reader takes at most.
    public static let maximumFiles = 64
    /// Bytes of an archive: more than the largest evidence pack, less than fills a memory.
    public static let maximumLength = 256 << 20

    public init(files: [ArchiveFile]) { self.files = files }

    public var bytes: [UInt8] {
        var archive: [UInt8] = []
        archive.reserveCapacity(files.reduce(22) { $0 + $1.content.count + 2 * $1.name.utf8.count + 76 })
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

    /// Section 4.3.16.
    private static func end(count: Int, directory: Int, offset: Int) -> [UInt8] {
        var end = LittleEndianBytes()
        end.add(0x0605_4B50 as UInt32)
        end.add(0 as UInt32)
        end.add(UInt16(truncatingIfNeeded: count))
        end.add(UInt16(truncatingIfNeeded: count))
        end.add(UInt32(truncatingIfNeeded: directory))
        end.add(UInt32(truncatingIfNeeded: offset))
        end.add(0 as UInt16)
        return end.bytes
    }
}

/// A file's headers.
private struct Entry {
    let file: ArchiveFile
    let checksum: UInt32
    let offset: Int

    init(_ file: ArchiveFile, offset: Int) {
        self.file = file
        self.offset = offset
        checksum = CRC32.checksum(file.content)
    }

    /// Section 4.3.7.
    var localHeader: [UInt8] {
        var header = LittleEndianBytes()
        header.add(ZIPArchive.localSignature)
        addCommon(to: &header)
        return header.bytes + file.name.utf8
    }

    /// Section 4.3.12: made on Unix by version 2.0; a regular file that all may read.
    var directoryHeader: [UInt8] {
        var header = LittleEndianBytes()
        header.add(0x0201_4B50 as UInt32)
        header.add(0x0314 as UInt16)
        addCommon(to: &header)
        header.add(0 as UInt32)
        header.add(0 as UInt16)
        header.add(0o100644 << 16 as UInt32)
        header.add(UInt32(truncatingIfNeeded: offset))
        return header.bytes + file.name.utf8
    }

    /// From the version that is needed, 1.0, to the length of the extra field. The time is the first that can be written.
    private func addCommon(to header: inout LittleEndianBytes) {
        header.add(10 as UInt16)
        header.add(0 as UInt32)
        header.add(0x0021_0000 as UInt32)
        header.add(checksum)
        header.add(UInt32(truncatingIfNeeded: file.content.count))
        header.add(UInt32(truncatingIfNeeded: file.content.count))
        header.add(UInt16(truncatingIfNeeded: file.name.utf8.count))
        header.add(0 as UInt16)
    }
}

private struct LittleEndianBytes {
    var bytes: [UInt8] = []

    mutating func add(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
