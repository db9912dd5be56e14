import GRDB
import Glibc

/// The reason why the database cannot be opened. Each description says what to do.
public enum StoreOpenError: Error, Hashable, Sendable {
    case folderMissing(path: String)
    /// The system's error number and message.
    case notWritable(path: String, errno: Int32, message: String)
    /// Another process serves this database.
    case inUse(path: String)
    /// A newer version of the program has changed the tables.
    case newerSchema(path: String)
    /// A development version has made the tables, before the first release.
    case unreleasedSchema(path: String)
    /// `PRAGMA synchronous` did not become FULL (2).
    case notDurable(synchronous: Int)
    /// The file is not a SQLite database.
    case notDatabase(path: String)
    /// SQLite reports that the file is damaged.
    case damaged(path: String)
    /// SQLite's own message.
    case unreadable(path: String, message: String)

    /// Translates an error that occurred while SQLite opened the database.
    init(_ error: any Error, path: String) {
        switch (error as? DatabaseError)?.resultCode {
        case .SQLITE_NOTADB: self = .notDatabase(path: path)
        case .SQLITE_CORRUPT: self = .damaged(path: path)
        default: self = .unreadable(path: path, message: "\(error)")
        }
    }

    /// The error of a system call that needs to write to the database or its folder.
    static func notWritable(_ path: String, errno code: Int32) -> Self {
        .notWritable(path: path, errno: code, message: String(cString: strerror(code)))
    }
}

extension StoreOpenError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .folderMissing(let path):
            "the folder of the database \(path) does not exist: create it, or set another path"
        case .notWritable(let path, _, let message):
            "the database \(path) cannot be written to (\(message)): check its folder’s owner, permissions and mount"
        case .inUse(let path):
            "the database \(path) is in use by another registry: stop that one, or set another path"
        case .newerSchema(let path):
            "the database \(path) was changed by a newer version of this program: run that version, or restore a backup"
        case .unreleasedSchema(let path):
            "the database \(path) was made by a development version before the first release, and this version cannot use "
                + "it: move it away to begin with an empty one, or run the version that made it"
        case .notDurable(let synchronous):
            "SQLite runs with synchronous=\(synchronous) and could lose confirmed writes: use a system SQLite that "
                + "allows synchronous=FULL"
        case .notDatabase(let path):
            "\(path) is not an SQLite database: set ‘database’ to the registry’s database, or, if it is damaged, "
                + "restore a backup (findmybike-registry restore)"
        case .damaged(let path):
            "the database \(path) is damaged: keep a copy of it and put a backup in its place "
                + "(findmybike-registry restore)"
        case .unreadable(let path, let message):
            "the database \(path) cannot be opened (\(message)): check the file, its permissions and its disk"
        }
    }
}
