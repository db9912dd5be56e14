import Foundation
import Registry

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An append-only file next to the database, readable only by its user. It contains changes that a restored backup must
/// not undo.
struct JournalFile: Sendable {
    let path: String

    /// The words of all lines; the caller ignores a line cut short by a crash.
    func lines() throws -> [[String]] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        return text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }

    /// Appends lines; they are on disk when this returns.
    func append(_ lines: [String]) throws {
        guard !lines.isEmpty else { return }
        let isNew = !FileManager.default.fileExists(atPath: path)
        let file = open(path, O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure(path) }
        defer { close(file) }
        // Start each entry on a new line, even after a line cut short by a crash.
        let text = lines.map { "\n" + $0 }.joined() + "\n"
        guard Self.writeAll(Array(text.utf8), to: file), fsync(file) == 0 else { throw Self.failure(path) }
        if isNew { try Self.syncFolder(of: path) }
    }

    private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Syncs the folder. A new file survives a power loss only once its folder is on disk.
    private static func syncFolder(of path: String) throws {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(folder) }
    }

    private static func failure(_ path: String) -> DomainError {
        .storageUnavailable("\(path): \(String(cString: strerror(errno)))")
    }
}
