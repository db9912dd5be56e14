import Foundation
import GRDB
import GRDBSQLite
import Glibc
import RegistrySQL

/// Checks a database before it is opened, without changing it or the files next to it.
struct DatabaseExamination {
    /// The path of the database, which may not exist yet.
    let path: String
    /// The migrations that this program knows.
    let migrator: DatabaseMigrator

    /// Checks the folder, the file and its tables.
    ///
    /// - Throws: the error that prevents a registry from starting with the database. A registry that already serves it
    ///   is not an error.
    func examine() throws(StoreOpenError) {
        let folder = FilePlace.folder(of: path)
        guard access(folder, F_OK) == 0 else { throw .folderMissing(path: path) }
        guard access(folder, W_OK | X_OK) == 0 else { throw .notWritable(path, errno: errno) }
        guard access(path, F_OK) == 0 else { return }
        guard !FilePlace.isSpecial(path) else { throw .unreadable(path: path, message: "not a regular file") }
        guard access(path, R_OK | W_OK) == 0 else { throw .notWritable(path, errno: errno) }
        guard try hasContent(), !hasLog else { return }
        let steps = try steps()
        guard !steps.isEmpty else { throw .unreadable(path: path, message: "no tables of a registry") }
        try check(steps)
    }

    /// Checks that this program can use tables that these steps made.
    func check(_ steps: Set<String>) throws(StoreOpenError) {
        guard !Schema.isUnreleased(steps) else { throw .unreleasedSchema(path: path) }
        guard steps.isSubset(of: migrator.migrations) else { throw .newerSchema(path: path) }
    }

    /// Whether the file is a SQLite database; false for an empty file, which becomes a new database.
    private func hasContent() throws(StoreOpenError) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { throw .notWritable(path, errno: errno) }
        defer { try? file.close() }
        let beginning = (try? file.read(upToCount: 16)) ?? Data()
        guard !beginning.isEmpty else { return false }
        // https://sqlite.org/fileformat2.html#magic_header_string
        guard beginning == Data("SQLite format 3\0".utf8) else { throw .notDatabase(path: path) }
        return true
    }

    /// Whether a log holds changes that are not in the file yet. Reading both would create other files next to them.
    private var hasLog: Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: FilePlace.resolved(path) + "-wal")
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0 > 0
    }

    /// The migrations that were applied to the tables.
    private func steps() throws(StoreOpenError) -> Set<String> {
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%"))
        let name = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
        var connection: OpaquePointer?
        var statement: OpaquePointer?
        defer {
            sqlite3_finalize(statement)
            sqlite3_close(connection)
        }
        // Open without locks, and without creating files (https://sqlite.org/uri.html).
        let code = sqlite3_open_v2(
            "file:\(name)?immutable=1", &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
        guard code == SQLITE_OK else { throw unreadable(connection) }
        guard sqlite3_prepare_v2(connection, "PRAGMA schema_version", -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else { throw unreadable(connection) }
        sqlite3_finalize(statement)
        statement = nil
        // Fails if the table does not exist.
        guard
            sqlite3_prepare_v2(connection, "SELECT identifier FROM grdb_migrations", -1, &statement, nil) == SQLITE_OK
        else { return [] }
        var steps: Set<String> = []
        while sqlite3_step(statement) == SQLITE_ROW {
            if let text = sqlite3_column_text(statement, 0) { steps.insert(String(cString: text)) }
        }
        return steps
    }

    /// The error with SQLite’s reason.
    private func unreadable(_ connection: OpaquePointer?) -> StoreOpenError {
        .unreadable(
            path: path, message: sqlite3_errmsg(connection).map { String(cString: $0) } ?? "SQLite gives no reason")
    }
}

extension SQLiteRegistryStore {
    /// Checks whether a registry could start with a database, and changes nothing.
    ///
    /// - Throws: ``StoreOpenError``. A registry that already serves the database is not an error.
    public static func examine(path: String) throws(StoreOpenError) {
        try DatabaseExamination(path: path, migrator: Schema.migrator).examine()
    }
}
