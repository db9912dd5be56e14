import Foundation

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Files that survive a loss of power.
enum DiskFile {
    /// Writes a file's content into another, which exists.
    static func copy(_ source: String, to target: String) throws {
        let input = try FileHandle(forReadingFrom: URL(fileURLWithPath: source))
        let output = try FileHandle(forWritingTo: URL(fileURLWithPath: target))
        while let piece = try input.read(upToCount: 1 << 20), !piece.isEmpty { try output.write(contentsOf: piece) }
        try input.close()
        try output.close()
    }

    /// Returns once a file's content is on disk.
    static func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(path) }
    }

    /// Gives a file another name in its folder, in place of any file that has it.
    static func move(_ path: String, to name: String) throws {
        guard rename(path, name) == 0 else { throw failure(name) }
        try sync(name.lastIndex(of: "/").map { String(name[...$0]) } ?? ".")
    }

    private static func failure(_ path: String) -> BackupError {
        .failed(message: "\(path): \(String(cString: strerror(errno)))")
    }
}
