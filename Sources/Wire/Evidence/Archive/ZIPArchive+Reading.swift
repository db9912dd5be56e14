extension ZIPArchive {
    /// The reason why bytes are not a valid archive.
    public enum Flaw: Error, Hashable, Sendable {
        /// It is longer than ``maximumLength``.
        case tooLarge
        /// The bytes differ from the archive that these files produce:
        /// changed, cut off, or written by another program.
        case notCanonical
        /// It has more than ``maximumFiles`` files.
        case tooManyFiles
        /// A file name is invalid or occurs twice.
        case badName
    }

    /// The number at the beginning of a local file header (section 4.3.7).
    static let localSignature: UInt32 = 0x0403_4B50
    /// The length of a local file header in bytes, without the file's name.
    static let localHeaderLength = 30

    /// Reads an archive from an untrusted source, in memory only.
    public init(reading bytes: [UInt8]) throws(Flaw) {
        guard bytes.count <= Self.maximumLength else { throw .tooLarge }
        files = []
        var rest = bytes[...]
        while let file = try Self.file(at: &rest) {
            guard files.count < Self.maximumFiles else { throw .tooManyFiles }
            guard ArchiveFile.isName(file.name), !files.contains(where: { $0.name == file.name }) else {
                throw .badName
            }
            files.append(file)
        }
        // The headers must be exactly those that these files get.
        guard self.bytes == bytes else { throw .notCanonical }
    }

    /// Reads the file whose local header comes next; nil if no local header follows.
    private static func file(at rest: inout ArraySlice<UInt8>) throws(Flaw) -> ArchiveFile? {
        guard rest.count >= localHeaderLength, number(rest, at: 0, bytes: 4) == localSignature else { return nil }
        let length = Int(number(rest, at: 18, bytes: 4))
        let nameLength = Int(number(rest, at: 26, bytes: 2))
        guard rest.count - localHeaderLength >= nameLength + length else { throw .notCanonical }
        rest = rest.dropFirst(localHeaderLength)
        let name = String(decoding: rest.prefix(nameLength), as: UTF8.self)
        rest = rest.dropFirst(nameLength)
        let content = Array(rest.prefix(length))
        rest = rest.dropFirst(length)
        return ArchiveFile(name, content)
    }

    /// Reads a little-endian number. The caller must have checked the length.
    private static func number(_ bytes: ArraySlice<UInt8>, at offset: Int, bytes count: Int) -> UInt32 {
        let start = bytes.startIndex + offset
        return bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
