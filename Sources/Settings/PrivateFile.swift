import Foundation

/// A file that holds a secret: mode 0600 from its first moment, and on disk once a call has returned.
public struct PrivateFile: Sendable {
    public let path: String

    public init(path: String) {
        self.path = path
    }

    public var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// Why nothing can be written there, before anything is done that would be lost; nil where all is well.
    public var obstacle: FileFailure? {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return access(folder, W_OK | X_OK) == 0 ? nil : FileFailure("written", path)
    }

    /// Writes the secret where no file was before.
    public func create(_ secret: String) throws(FileFailure) {
        try DurableReplacement.put(secret + "\n", to: path, FileAccess(mode: 0o600), replaces: false)
    }

    /// Writes the secret in place of what is there.
    ///
    /// - Parameter user: whose file it becomes if this program may give it away and there is such a user.
    public func replace(with secret: String, ownedBy user: String? = nil) throws(FileFailure) {
        let entry = geteuid() == 0 ? user.flatMap { getpwnam($0) } : nil
        let owner = entry.map { (user: $0.pointee.pw_uid, group: $0.pointee.pw_gid) }
        try DurableReplacement.put(secret + "\n", to: path, FileAccess(mode: 0o600, owner: owner))
    }

    /// The secret without white space around it; nil where the file cannot be read.
    public func read() -> String? {
        FileManager.default.contents(atPath: path).map {
            String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    public func remove() { unlink(path) }

    /// Makes the folder of a file, for its owner alone, where there is none.
    public static func makeFolder(of path: String) throws(FileFailure) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard access(folder, F_OK) == 0 else { throw FileFailure("made", folder) }
    }
}
