/// The files of a pack with their SHA-256, in the form that `sha256sum -c` reads.
enum Manifest {
    static func text(of files: some Sequence<ArchiveFile>) -> String {
        files.map { "\(HashValue(of: $0.content))  \($0.name)\n" }.joined()
    }
}
