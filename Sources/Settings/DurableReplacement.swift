import Foundation

/// Who may read a file, and whose it is.
struct FileAccess {
    let mode: mode_t
    /// Nil for whoever runs the program.
    var owner: (user: uid_t, group: gid_t)?

    init(mode: mode_t, owner: (user: uid_t, group: gid_t)? = nil) {
        self.mode = mode
        self.owner = owner
    }

    /// As another file has it.
    init(of path: String) throws(FileFailure) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw FileFailure("looked at", path) }
        self.init(mode: status.st_mode & 0o777, owner: (status.st_uid, status.st_gid))
    }
}

/// Writes a file as a whole: whoever looks, after a loss of power too, finds the old content or the new.
enum DurableReplacement {
    /// - Parameter replaces: whether a file that is there may be replaced.
    static func put(
        _ text: String, to path: String, _ access: FileAccess, replaces: Bool = true
    ) throws(FileFailure) {
        let new = "\(path).new"
        unlink(new)
        do {
            try create(text, at: new, access)
        } catch {
            unlink(new)
            throw error
        }
        // link(2) fails where there is a file; rename(2) replaces it.
        guard replaces ? rename(new, path) == 0 : link(new, path) == 0 else {
            let failure = FileFailure("written", path)
            unlink(new)
            throw failure
        }
        if !replaces { unlink(new) }
        try synchronizeFolder(of: path)
    }

    private static func create(_ text: String, at path: String, _ access: FileAccess) throws(FileFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFailure("created", path) }
        defer { close(descriptor) }
        // The owner before the mode: nobody else may look in between.
        let isOwned = access.owner.map { fchown(descriptor, $0.user, $0.group) == 0 } ?? true
        guard isOwned || geteuid() != 0, fchmod(descriptor, access.mode) == 0 else {
            throw FileFailure("given to its user", path)
        }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileFailure("written", path) }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw FileFailure("written", path) }
    }

    /// A new name is on disk only when its folder is (fsync(2)).
    private static func synchronizeFolder(of path: String) throws(FileFailure) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFailure("opened", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileFailure("written", folder) }
    }
}

/// What could not be done to a file, and the system's reason.
public struct FileFailure: Error, CustomStringConvertible {
    public let code: Int32
    public let description: String

    init(_ operation: String, _ path: String) {
        code = errno
        description = "\(path) cannot be \(operation): \(String(cString: strerror(code)))"
    }
}
