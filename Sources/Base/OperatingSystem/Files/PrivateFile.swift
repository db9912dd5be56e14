import Foundation

/// A file that only its user can read and write.
public enum PrivateFile {
    /// Creates an empty file, unless there is one, which must be readable and writable.
    ///
    /// An existing file is not even opened: closing any descriptor of a file drops all locks that this process has on
    /// it (POSIX.1-2017, `fcntl`), so a database that is in use here would lose SQLite’s locks.
    public static func create(_ path: String) throws(FileFailure) {
        guard access(path, F_OK) != 0 else {
            guard access(path, R_OK | W_OK) == 0 else { throw FileFailure("opened", path) }
            return
        }
        // A link whose target is missing leads to a new file.
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFailure("created", path) }
        close(descriptor)
    }
}
