import GRDB
import Glibc
import RegistryRules
import RegistrySQL
import Synchronization

/// Tracks whether the disk accepts writes.
final class StorageHealth: Sendable {
    /// The number of bytes that must be free: about a hundred commits, and the file that SQLite creates at each start.
    private static let minimumSpace: UInt64 = 1 << 20

    private let folder: String
    private let log: String
    private let failed = Mutex(false)

    init(database path: String) {
        folder = FilePlace.folder(of: path)
        log = path + "-wal"
    }

    /// Whether the last group could not be stored.
    var hasFailed: Bool { failed.withLock(\.self) }

    /// Notes the outcome of a group: why it could not be stored, or nil.
    func note(_ failure: (any Error)?) { failed.withLock { $0 = failure != nil } }

    /// Checks that the disk has room for changes.
    ///
    /// - Throws: ``DomainError/storageUnavailable(_:)`` if the disk is full or nearly full.
    func checkSpace() throws {
        let free = try freeBytes()
        guard free >= Self.minimumSpace else {
            throw DomainError.storageUnavailable("only \(free) bytes are free in \(folder)")
        }
    }

    /// The free space of the database’s disk in bytes.
    ///
    /// - Throws: ``DomainError/storageUnavailable(_:)``.
    func freeBytes() throws -> UInt64 {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else {
            throw DomainError.storageUnavailable("\(folder): \(String(cString: strerror(errno)))")
        }
        let (free, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? .max : free
    }

    /// The size in bytes of the log of changes that are not merged into the database yet; zero if there is none.
    var logBytes: Int64 {
        var status = stat()
        return stat(log, &status) == 0 ? Int64(status.st_size) : 0
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
