public import Foundation

/// Writes files durably: their content survives a power loss once a call has returned.
public enum DurableFile {
    /// The steps of writing. A crash between any of them must leave the old content or the new: tests stop the process
    /// at each.
    public enum Step: Sendable {
        /// Half of the content is written, next to the file.
        case halfWritten
        /// All of the content is on disk, next to the file.
        case written
        /// The file has its name, and its folder is on disk.
        case inPlace
    }

    /// Writes a file atomically: a reader finds the old content or the new, even after a crash.
    ///
    /// - Parameters:
    ///   - access: the permissions and the owner of the new file.
    ///   - replaces: whether an existing file may be replaced.
    ///   - step: called after each step; tests stop the process there.
    /// - Throws: ``FileFailure``; `EEXIST` if there is a file that may not be replaced.
    public static func put(
        _ bytes: [UInt8], at path: String, _ access: FileAccess = .private, replaces: Bool = true,
        step: (Step) -> Void = { _ in }
    ) throws(FileFailure) {
        let new = "\(path).new"
        unlink(new)
        do {
            try write(bytes, to: new, O_EXCL, access) { step(.halfWritten) }
        } catch {
            unlink(new)
            throw error
        }
        step(.written)
        // link(2) fails if the file exists; rename(2) replaces it.
        guard replaces ? rename(new, path) == 0 : link(new, path) == 0 else {
            let failure = FileFailure("written", path)
            unlink(new)
            throw failure
        }
        if !replaces { unlink(new) }
        try synchronizeFolder(of: path)
        step(.inPlace)
    }

    /// Appends to a file, which only its owner can access if it is new. A crash may leave a part of the addition.
    ///
    /// - Parameter half: called when half of the addition is written; tests stop the process there.
    public static func append(_ bytes: [UInt8], to path: String, half: () -> Void = {}) throws(FileFailure) {
        let isNew = Foundation.access(path, F_OK) != 0
        try write(bytes, to: path, O_APPEND, nil, half: half)
        if isNew { try synchronizeFolder(of: path) }
    }

    /// Removes a file if it exists.
    public static func remove(_ path: String) throws(FileFailure) {
        guard unlink(path) == 0 || errno == ENOENT else { throw FileFailure("removed", path) }
        try synchronizeFolder(of: path)
    }

    /// Writes and syncs a file.
    ///
    /// - Parameters:
    ///   - flags: flags of open(2) besides those for writing and creating.
    ///   - access: nil to leave it as it is.
    private static func write(
        _ bytes: [UInt8], to path: String, _ flags: Int32, _ access: FileAccess?, half: () -> Void
    ) throws(FileFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o600)
        guard descriptor >= 0 else { throw FileFailure("created", path) }
        defer { close(descriptor) }
        if let access { try apply(access, to: descriptor, path) }
        let middle = bytes.count / 2
        try write(bytes[..<middle], to: descriptor, path)
        half()
        try write(bytes[middle...], to: descriptor, path)
        guard fsync(descriptor) == 0 else { throw FileFailure("written", path) }
    }

    /// Sets the owner before the mode, so that other users cannot read the file in between.
    private static func apply(_ access: FileAccess, to descriptor: Int32, _ path: String) throws(FileFailure) {
        let isOwned = access.owner.map { fchown(descriptor, $0.user, $0.group) == 0 } ?? true
        // Only root may give a file to another user; for anybody else it stays their own.
        guard isOwned || geteuid() != 0, fchmod(descriptor, access.mode) == 0 else {
            throw FileFailure("assigned to its user", path)
        }
    }

    /// Writes all bytes to a descriptor; the path is for the error.
    private static func write(
        _ bytes: ArraySlice<UInt8>, to descriptor: Int32, _ path: String
    ) throws(FileFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileFailure("written", path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Syncs the folder: a new name is on disk only once its folder is (fsync(2)).
    private static func synchronizeFolder(of path: String) throws(FileFailure) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFailure("opened", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileFailure("written", folder) }
    }
}

/// The permissions and the owner of a file.
public struct FileAccess: Sendable {
    /// The permissions, as for chmod(2).
    let mode: mode_t
    /// The owner; nil for the user that runs the program.
    var owner: (user: uid_t, group: gid_t)?

    /// Access for the owner only.
    public static let `private` = FileAccess(mode: 0o600)

    public init(mode: mode_t, owner: (user: uid_t, group: gid_t)? = nil) {
        self.mode = mode
        self.owner = owner
    }

    /// The same access as another file.
    public init(of path: String) throws(FileFailure) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw FileFailure("examined", path) }
        self.init(mode: status.st_mode & 0o777, owner: (status.st_uid, status.st_gid))
    }
}

/// The file operation that failed, and the system's reason.
public struct FileFailure: Error, CustomStringConvertible {
    /// The system's error number.
    public let code: Int32
    public let description: String

    /// Takes the reason from `errno`.
    ///
    /// - Parameter operation: what could not be done, as a participle, such as “written”.
    init(_ operation: String, _ path: String) {
        code = errno
        description = "\(path) cannot be \(operation): \(String(cString: strerror(code)))"
    }
}
