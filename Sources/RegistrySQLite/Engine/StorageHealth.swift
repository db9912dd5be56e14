import GRDB
import Glibc
import Registry
import RegistrySQL
import Synchronization

/// Tracks whether the disk accepts writes.
final class StorageHealth: Sendable {
    /// The number of bytes that must be free: about a hundred commits, and the file that SQLite creates at each start.
    private static let minimumSpace: UInt64 = 1 << 20

    private let folder: String
    private let failed = Mutex(false)

    init(database path: String) {
        folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }

    /// Whether the last group could not be stored.
    var hasFailed: Bool { failed.withLock(\.self) }

    func note(_ failure: (any Error)?) { failed.withLock { $0 = failure != nil } }

    /// - Throws: ``DomainError/storageUnavailable(_:)`` if the disk is full or nearly full.
    func checkSpace() throws {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else {
            throw DomainError.storageUnavailable("\(folder): \(String(cString: strerror(errno)))")
        }
        let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
        guard free >= Self.minimumSpace else {
            throw DomainError.storageUnavailable("only \(free) bytes are free in \(folder)")
        }
    }
}

extension DatabaseError {
    /// Whether the cause is the disk or the file, and not the statement.
    var isStorageFailure: Bool { Self.storageFailures.contains(resultCode) }

    private static let storageFailures: [ResultCode] = [
        .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_CORRUPT,
        .SQLITE_NOTADB, .SQLITE_NOMEM,
    ]
}
