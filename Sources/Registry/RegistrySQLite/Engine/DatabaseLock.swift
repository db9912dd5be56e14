import Glibc

/// Prevents a second registry from using a database during the lifetime of this value.
///
/// It locks a separate file next to the database: SQLite's own locks last only for a transaction, and two registries
/// would each have their own queue of alerts and cache of the missing list.
final class DatabaseLock: Sendable {
    private let descriptor: Int32

    /// Locks the database at a path.
    ///
    /// - Throws: ``StoreOpenError/inUse(path:)`` if another registry serves it; otherwise what prevents the lock.
    init(forDatabase path: String) throws(StoreOpenError) {
        // Another registry may use a link to the same file.
        let place = FilePlace.resolved(path)
        guard access(FilePlace.folder(of: path), F_OK) == 0 else { throw .folderMissing(path: path) }
        descriptor = open(place + ".lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .notWritable(path, errno: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isInUse = errno == EWOULDBLOCK
            let error: StoreOpenError = isInUse ? .inUse(path: path) : .notWritable(path, errno: errno)
            close(descriptor)
            throw error
        }
    }

    deinit {
        release()
        close(descriptor)
    }

    /// Lets another registry use the database. Repeated calls do nothing.
    func release() {
        // Closing the descriptor is not enough: a child that this process is just starting has a copy of it until it runs
        // its program.
        flock(descriptor, LOCK_UN)
    }
}
