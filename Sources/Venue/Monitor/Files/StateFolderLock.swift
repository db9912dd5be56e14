import Foundation

/// Locks a monitor's state folder for this process: two processes that write the same outbox would mix their visits.
///
/// The kernel releases the lock (flock(2)) when the process ends, however it ends, so no stale lock remains. The file
/// stays: if it were removed, two processes could each lock a different file of the same name.
public final class StateFolderLock: Sendable {
    /// The reason why the folder cannot be locked.
    public enum Failure: Error, Hashable, Sendable {
        /// Another process has locked it; `process` is its number, or nil if that is unknown.
        case held(folder: String, process: Int32?)
        /// The folder does not exist or is not writable; `code` is the errno.
        case unusable(folder: String, code: Int32)
    }

    private let descriptor: Int32

    /// Locks the folder until this value is released.
    ///
    /// - Throws: ``Failure``, at once: it does not wait for another process.
    public init(folder: String) throws(Failure) {
        let path = "\(folder)/lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw .unusable(folder: folder, code: errno)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            let holder = Self.process(descriptor)
            close(descriptor)
            guard code == EWOULDBLOCK else {
                throw .unusable(folder: folder, code: code)
            }
            throw .held(folder: folder, process: holder)
        }
        // The number only helps people: a failure to write it has no effect.
        let text = Array("\(getpid())\n".utf8)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    }

    deinit { close(descriptor) }

    /// The number of the process that the file names; nil if it names none.
    private static func process(_ descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return Int32(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).trimmingCharacters(in: .newlines))
    }
}

extension StateFolderLock.Failure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .held(let folder, let process):
            "another monitor\(process.map { " (process \($0))" } ?? "") uses \(folder): stop it, or give this one another "
                + "folder with --state"
        case .unusable(let folder, let code):
            "the folder \(folder) cannot be used (\(String(cString: strerror(code)))): "
                + (code == EROFS
                    ? "mount it with write access; the system takes it away from a disk with errors, so check the disk"
                    : "create it for the user that the monitor runs as, or set ‘state’")
        }
    }
}
