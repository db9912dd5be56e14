import Glibc

/// Files whose content survives a loss of power once a call has returned.
enum DurableFile {
    /// Replaces a file as a whole: whoever reads it, at any time and after any crash, finds the old content or the new.
    ///
    /// - Parameter step: called when half is written, when all is on disk beside the file, and when it is in place.
    static func replace(_ path: String, with bytes: [UInt8], step: (Int) -> Void) throws(FileError) {
        let temporary = path + ".new"
        try write(bytes, to: temporary, O_WRONLY | O_CREAT | O_TRUNC) { step(0) }
        step(1)
        guard rename(temporary, path) == 0 else { throw FileError("rename", temporary) }
        try syncFolder(of: path)
        step(2)
    }

    /// Adds to the end of a file. A crash may leave a part of the addition.
    static func append(_ bytes: [UInt8], to path: String, half: () -> Void) throws(FileError) {
        let isNew = access(path, F_OK) != 0
        try write(bytes, to: path, O_WRONLY | O_CREAT | O_APPEND, half: half)
        if isNew { try syncFolder(of: path) }
    }

    static func remove(_ path: String) throws(FileError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw FileError("unlink", path) }
        try syncFolder(of: path)
    }

    private static func write(_ bytes: [UInt8], to path: String, _ flags: Int32, half: () -> Void) throws(FileError) {
        let file = open(path, flags | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw FileError("open", path) }
        defer { close(file) }
        var written = 0
        while written < bytes.count {
            let end = written < bytes.count / 2 ? bytes.count / 2 : bytes.count
            let count = bytes[written..<end].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileError("write", path) }
            written += count
            if written == bytes.count / 2 { half() }
        }
        guard fsync(file) == 0 else { throw FileError("fsync", path) }
    }

    /// A new name is on disk only when its folder is (fsync(2)).
    private static func syncFolder(of path: String) throws(FileError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw FileError("open", folder) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw FileError("fsync", folder) }
    }
}

/// Why a file could not be written: the call, its file and the system's reason.
struct FileError: Error, CustomStringConvertible {
    let operation: String
    let path: String
    let code: Int32

    init(_ operation: String, _ path: String) {
        code = errno
        self.operation = operation
        self.path = path
    }

    var description: String { "\(operation) \(path): \(String(cString: strerror(code)))" }
}
