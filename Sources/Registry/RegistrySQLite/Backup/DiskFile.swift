import Foundation
import Glibc

/// Copies and renames files of any size so that they survive a power loss.
enum DiskFile {
    /// Copies a file's content to another file, which is created if it does not exist.
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

    /// Renames a file within its folder, replacing any file of that name.
    static func move(_ path: String, to name: String) throws {
        guard rename(path, name) == 0 else { throw failure(name) }
        try sync(FilePlace.folder(of: name))
    }

    /// Gives a file a second, unused name in its folder; renames it if the file system does not support hard links.
    static func link(_ path: String, to name: String) throws {
        guard hardLink(path, name) != 0 else { return try sync(FilePlace.folder(of: name)) }
        guard [EPERM, EOPNOTSUPP, EMLINK].contains(errno) else { throw failure(name) }
        try move(path, to: name)
    }

    private static func failure(_ path: String) -> BackupError {
        .failed(message: "\(path): \(String(cString: strerror(errno)))")
    }
}

/// Calls link(2), under a name that does not clash with the methods here.
private func hardLink(_ path: String, _ name: String) -> Int32 { link(path, name) }
