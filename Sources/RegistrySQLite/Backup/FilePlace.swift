#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Where a path leads, whatever way it is written: by links, through other folders, or with `..` in it.
struct FilePlace: Hashable {
    /// A file by its device and inode, and the name that a path gives it in a folder, by the folder's.
    private enum Key: Hashable {
        case file(dev_t, ino_t)
        case name(dev_t, ino_t, String)
    }

    private let keys: Set<Key>

    /// A path of a file that may be there or not.
    init(_ path: String) {
        var keys: Set<Key> = []
        if let file = Self.status(path) { keys.insert(.file(file.st_dev, file.st_ino)) }
        for path in [path, Self.resolved(path)] {
            guard let folder = Self.status(Self.folder(of: path)) else { continue }
            keys.insert(.name(folder.st_dev, folder.st_ino, Self.name(of: path)))
        }
        self.keys = keys
    }

    /// Whether a file that is written to one place is in the way of the other.
    func isSame(as other: FilePlace) -> Bool { !keys.isDisjoint(with: other.keys) }

    /// The path without links; the same where nothing is there.
    static func resolved(_ path: String) -> String {
        guard let text = realpath(path, nil) else { return path }
        defer { free(text) }
        return String(cString: text)
    }

    /// Whether something is there that is no ordinary file.
    static func isSpecial(_ path: String) -> Bool {
        status(path).map { $0.st_mode & S_IFMT != S_IFREG } ?? false
    }

    /// The path from the root on. SQLite takes a name that begins with `file:` for a URI, which this never does.
    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// Bytes that a file holds; nil where none is there.
    static func size(of path: String) -> Int? { status(path).map { Int($0.st_size) } }

    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    private static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }
}
