extension ZIPArchive {
    /// Why bytes are no archive of ours.
    public enum Flaw: Error, Hashable, Sendable {
        case tooLarge
        /// Not the bytes that the files within would be written as: changed, cut off, or made by another program.
        case notCanonical
        case tooManyFiles
        /// A name that is not plain, or occurs twice.
        case badName
    }

    static let localSignature: UInt32 = 0x0403_4B50

    /// Reads an archive from anywhere; nothing is believed and nothing is written.
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
        // Whatever the headers say: they must be those that these files get.
        guard self.bytes == bytes else { throw .notCanonical }
    }

    /// The file whose local header comes next; nil where none does.
    private static func file(at rest: inout ArraySlice<UInt8>) throws(Flaw) -> ArchiveFile? {
        guard rest.count >= 30, number(rest, at: 0, bytes: 4) == localSignature else { return nil }
        let length = Int(number(rest, at: 18, bytes: 4))
        let nameLength = Int(number(rest, at: 26, bytes: 2))
        guard rest.count - 30 >= nameLength + length else { throw .notCanonical }
        rest = rest.dropFirst(30)
        let name = String(decoding: rest.prefix(nameLength), as: UTF8.self)
        rest = rest.dropFirst(nameLength)
        let content = Array(rest.prefix(length))
        rest = rest.dropFirst(length)
        return ArchiveFile(name, content)
    }

    /// Little-endian; the caller has checked the length.
    private static func number(_ bytes: ArraySlice<UInt8>, at offset: Int, bytes count: Int) -> UInt32 {
        let start = bytes.startIndex + offset
        return bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
