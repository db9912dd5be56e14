/// Why the database cannot be opened. Each description says what to do.
public enum StoreOpenError: Error, Hashable, Sendable {
    case folderMissing(path: String)
    /// The system's error number and its words.
    case notWritable(path: String, errno: Int32, message: String)
    /// Another process serves this database.
    case inUse(path: String)
    /// A newer version of the program has changed the tables.
    case newerSchema(path: String)
    /// `PRAGMA synchronous` did not become FULL (2).
    case notDurable(synchronous: Int)
    /// SQLite's own words.
    case unreadable(path: String, message: String)
}

extension StoreOpenError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .folderMissing(let path):
            "the folder of the database \(path) does not exist: create it, or set another path"
        case .notWritable(let path, _, let message):
            "the database \(path) cannot be written (\(message)): check its folder’s owner, permissions and mount"
        case .inUse(let path):
            "the database \(path) is in use by another registry: stop that one, or set another path"
        case .newerSchema(let path):
            "the database \(path) was changed by a newer version of this program: run that version, or restore a backup"
        case .notDurable(let synchronous):
            "SQLite runs with synchronous=\(synchronous) and would lose answered writes: use a system SQLite that "
                + "allows synchronous=FULL"
        case .unreadable(let path, let message):
            "the database \(path) cannot be opened (\(message)): check that the file is a registry’s database"
        }
    }
}
