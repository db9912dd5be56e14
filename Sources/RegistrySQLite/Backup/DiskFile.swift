import Foundation

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Files that survive a loss of power.
enum DiskFile {
    /// An empty file for its user alone, under a name in the same folder that nothing had before.
    static func createTemporary(beside path: String) throws(BackupError) -> String {
        var name = Array((path + ".partial-XXXXXX").utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw failure(path) }
        close(descriptor)
        return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Writes a file's content into another, which is made where it is not there.
    static func copy(_ source: String, to target: String) throws {
        let input = try FileHandle(forReadingFrom: URL(fileURLWithPath: source))
        let descriptor = open(target, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(target) }
        close(descriptor)
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
        try sync(FilePlace.folder(of: name))
    }

    /// Gives a file a second name in its folder, which nothing has, or where the file system knows no second names,
    /// another one.
    static func link(_ path: String, to name: String) throws {
        guard hardLink(path, name) != 0 else { return try sync(FilePlace.folder(of: name)) }
        guard [EPERM, EOPNOTSUPP, EMLINK].contains(errno) else { throw failure(name) }
        try move(path, to: name)
    }

    static func remove(_ path: String) throws {
        guard unlink(path) == 0 else { throw failure(path) }
        try sync(FilePlace.folder(of: path))
    }

    private static func failure(_ path: String) -> BackupError {
        .failed(message: "\(path): \(String(cString: strerror(errno)))")
    }
}

/// link(2), under a name that no method here has.
private func hardLink(_ path: String, _ name: String) -> Int32 { link(path, name) }
