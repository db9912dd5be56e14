/// The names and SHA-256 hashes of a pack's files, in the format of `sha256sum -c`.
enum Manifest {
    static func text(of files: some Sequence<ArchiveFile>) -> String {
        files.map { "\(HashValue(of: $0.content))  \($0.name)\n" }.joined()
    }
}
