import Glibc
import Syntax

/// The location that a path resolves to, even through links, other folders or `..`.
struct FilePlace: Hashable {
    /// Identifies a file by device and inode, and a name by its folder's device and inode.
    private enum Key: Hashable {
        case file(dev_t, ino_t)
        case name(dev_t, ino_t, String)
    }

    private let keys: Set<Key>

    /// The location of a file that may or may not exist.
    init(_ path: String) {
        var keys: Set<Key> = []
        if let file = Self.status(path) { keys.insert(.file(file.st_dev, file.st_ino)) }
        for path in [path, Self.resolved(path)] {
            guard let folder = Self.status(Self.folder(of: path)) else { continue }
            keys.insert(.name(folder.st_dev, folder.st_ino, Self.name(of: path)))
        }
        self.keys = keys
    }

    /// Whether a file written to one location would replace the other.
    func isSame(as other: FilePlace) -> Bool { !keys.isDisjoint(with: other.keys) }

    /// The path without links; unchanged if nothing exists there.
    static func resolved(_ path: String) -> String {
        guard let text = realpath(path, nil) else { return path }
        defer { free(text) }
        return String(cString: text)
    }

    /// Whether the path exists and is not a regular file.
    static func isSpecial(_ path: String) -> Bool {
        status(path).map { $0.st_mode & S_IFMT != S_IFREG } ?? false
    }

    /// The absolute path. SQLite interprets a name that begins with `file:` as a URI, and an absolute path never does.
    static func absolute(_ path: String) -> String {
        guard !path.begins(with: "/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// The size of a file in bytes; nil if it does not exist.
    static func size(of path: String) -> Int? { status(path).map { Int($0.st_size) } }

    /// The folder of a path; `.` if it names none.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last part of a path.
    static func name(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }

    /// What stat(2) says; nil if nothing exists there.
    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }
}
