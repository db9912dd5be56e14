import Foundation
import Glibc
import Syntax

/// A file that is being written under a temporary name, beside the name that it gets when it is complete.
///
/// It is locked meanwhile. What an interrupted copy has left is not, and the next copy removes it: it has the secrets of
/// the database.
final class PartialFile {
    let path: String
    private let descriptor: Int32

    /// Creates an empty file that only its user can read.
    init(beside path: String) throws(BackupError) {
        Self.removeLeftovers(beside: path)
        var name = Array((path + Self.ending + "XXXXXX").utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw .failed(message: "\(path): \(String(cString: strerror(errno)))") }
        // Another copy that begins before this may remove the file: then the content creates it again.
        flock(descriptor, LOCK_EX | LOCK_NB)
        self.path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { close(descriptor) }

    /// Removes the file, with the files that SQLite makes beside it.
    func remove() { Self.remove(path) }

    /// Removes what interrupted copies have left beside a file.
    static func removeLeftovers(beside path: String) {
        let folder = FilePlace.folder(of: path)
        let begin = FilePlace.name(of: path) + ending
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.begins(with: begin) && name.utf8.count == begin.utf8.count + 6 {
            let descriptor = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove("\(folder)/\(name)") }
            close(descriptor)
        }
    }

    private static let ending = ".partial-"

    private static func remove(_ path: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    }
}
