/// One file of an archive.
public struct ArchiveFile: Hashable, Sendable {
    /// 1–64 ASCII letters, digits, dots, hyphens and underscores, beginning with a letter or a digit; never a path.
    public let name: String
    public let content: [UInt8]

    public init(_ name: String, _ content: [UInt8]) {
        self.name = name
        self.content = content
    }

    public init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }

    /// Whether a file may have this name (``name``).
    static func isName(_ name: some StringProtocol) -> Bool {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isPlain, (1...64).contains(name.utf8.count), let first = name.utf8.first else { return false }
        return !".-_".utf8.contains(first)
    }
}

/// The names and SHA-256 hashes of a pack's files, in the format of `sha256sum -c`.
enum Manifest {
    /// A line for each file, in their order.
    static func text(of files: some Sequence<ArchiveFile>) -> String {
        files.map { "\(HashValue(of: $0.content))  \($0.name)\n" }.joined()
    }
}
