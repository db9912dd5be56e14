public import Foundation
import Syntax

/// A file that contains a secret: it is created with mode 0600, and is on disk once a call has returned.
public struct SecretFile: Sendable {
    /// The greatest length in bytes of a file with a secret.
    public static let longest = 1 << 20

    /// The reason why a secret cannot be used.
    public enum Failure: Error, Sendable {
        /// The system's error number, `ENOENT` if there is no file; nil if the file is empty.
        case unreadable(Int32?)
        /// Other users can read it.
        case exposed
        /// It is a device or a folder, or longer than ``longest``.
        case unsuitable
    }

    public let path: String

    public init(path: String) {
        self.path = path
    }

    public var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// The reason why the file cannot be written; nil if it can. Check this before an action whose result would be
    /// lost.
    public var obstacle: FileFailure? {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return access(folder, W_OK | X_OK) == 0 ? nil : FileFailure("written", path)
    }

    /// Writes the secret to a new file.
    ///
    /// - Throws: ``FileFailure``; `EEXIST` if there is a file already.
    public func create(_ secret: String) throws(FileFailure) {
        try DurableFile.put(Array((secret + "\n").utf8), at: path, replaces: false)
    }

    /// Replaces the secret in the file.
    ///
    /// - Parameter user: the new owner of the file, if the user exists and this program may change the owner.
    public func replace(with secret: String, ownedBy user: String? = nil) throws(FileFailure) {
        let entry = geteuid() == 0 ? user.flatMap { getpwnam($0) } : nil
        let owner = entry.map { (user: $0.pointee.pw_uid, group: $0.pointee.pw_gid) }
        try DurableFile.put(Array((secret + "\n").utf8), at: path, FileAccess(mode: 0o600, owner: owner))
    }

    /// The secret without surrounding white space; nil if the file cannot be read.
    public func read() -> String? {
        FileManager.default.contents(atPath: path).map(Self.text)
    }

    /// The content of a file that no other user can read; or of a pipe, as a shell makes for a command's output.
    ///
    /// Unlike ``read()`` it says why a secret cannot be used.
    public func contents() throws(Failure) -> Data {
        // Opened first, because functions that read whole files do not report the reason of a failure.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(errno) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(errno) }
        // A device such as /dev/zero never ends.
        guard [S_IFREG, S_IFIFO].contains(status.st_mode & S_IFMT) else { throw .unsuitable }
        guard status.st_mode & 0o077 == 0 || isCredential else { throw .exposed }
        guard let data = (try? file.read(upToCount: Self.longest + 1)) ?? nil else { throw .unreadable(nil) }
        guard data.count <= Self.longest else { throw .unsuitable }
        return data
    }

    /// The content as text, without surrounding white space.
    public func text() throws(Failure) -> String { Self.text(try contents()) }

    /// Removes the file if it exists. A failure is ignored.
    public func remove() { unlink(path) }

    /// Creates the folder of a file, accessible only by its owner, if it does not exist.
    public static func makeFolder(of path: String) throws(FileFailure) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard access(folder, F_OK) == 0 else { throw FileFailure("made", folder) }
    }

    /// Whether the service manager has loaded it for this service alone, through an access list, which the mode does
    /// not show.
    private var isCredential: Bool {
        ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"].map { path.begins(with: $0 + "/") } ?? false
    }

    private static func text(_ data: Data) -> String {
        String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

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
