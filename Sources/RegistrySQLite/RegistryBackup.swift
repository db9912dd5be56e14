import Foundation
import GRDB

/// Copies of a registry's database, and the way back.
public enum RegistryBackup {
    /// Copies a database, also while a registry serves it: one consistent moment, without what was deleted.
    ///
    /// A reading connection of SQLite's write-ahead log needs no lock that a registry would wait for. The file has its
    /// name once it is whole, sound and on disk.
    ///
    /// - Throws: ``BackupError``.
    public static func backUp(_ database: String, to file: String, replacing: Bool = false) throws(BackupError) {
        guard exists(database) else { throw .missing(path: database) }
        guard replacing || !exists(file) else { throw .exists(path: file) }
        let partial = file + ".partial"
        try translating(partial) {
            try createEmpty(partial)
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            try DatabaseQueue(path: database, configuration: configuration).inDatabase { db in
                try db.execute(sql: "VACUUM INTO ?", arguments: [partial])
            }
            try check(partial, is: file)
            try DiskFile.sync(partial)
            try DiskFile.move(partial, to: file)
        }
    }

    /// Puts a backup in a database's place, after it was found sound. What was there is kept beside, with `.replaced`
    /// after its name. Opening the database brings old tables up to date and repeats erasures that the backup does not
    /// know.
    ///
    /// - Throws: ``BackupError``; ``StoreOpenError`` where a registry serves the database, or it cannot be opened.
    public static func restore(_ file: String, to database: String, replacing: Bool = false) throws {
        guard exists(file) else { throw BackupError.missing(path: file) }
        do {
            let lock = try DatabaseLock(forDatabase: database)
            defer { withExtendedLifetime(lock) {} }
            guard replacing || !exists(database) else { throw BackupError.exists(path: database) }
            let partial = database + ".restoring"
            try translating(partial) {
                try createEmpty(partial)
                try DiskFile.copy(file, to: partial)
                try check(partial, is: file)
                try DiskFile.sync(partial)
                // The old log must be gone before the new database comes: SQLite would play it into any file of this name.
                for suffix in ["-wal", "-shm", ""] where exists(database + suffix) {
                    try DiskFile.move(database + suffix, to: database + ".replaced" + suffix)
                }
                try DiskFile.move(partial, to: database)
            }
        }
        _ = try SQLiteRegistryStore(path: database)
    }

    /// Whether a file is a registry's database that this program can use, without damage.
    private static func check(_ path: String, is name: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.inDatabase { db in
            let findings = try String.fetchAll(db, sql: "PRAGMA quick_check(1)")
            guard findings == ["ok"] else { throw BackupError.damaged(path: name, finding: findings.joined()) }
            guard try db.rows("PRAGMA foreign_key_check", []).isEmpty else {
                throw BackupError.damaged(path: name, finding: "a row refers to one that is not there")
            }
            guard try !Schema.migrator.appliedIdentifiers(db).isEmpty else { throw BackupError.foreign(path: name) }
            guard try !Schema.migrator.hasBeenSuperseded(db) else { throw BackupError.newerSchema(path: name) }
        }
        try queue.close()
    }

    private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// An empty file for its user alone, in place of one that an earlier attempt has left.
    private static func createEmpty(_ path: String) throws {
        try? FileManager.default.removeItem(atPath: path)
        try DatabaseLock.createFile(path)
    }

    /// Runs a step that makes a file, which is removed where the step fails.
    private static func translating(_ partial: String, _ body: () throws -> Void) throws(BackupError) {
        do {
            try body()
        } catch {
            for suffix in ["", "-journal", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: partial + suffix)
            }
            throw error as? BackupError ?? .failed(message: "\(error)")
        }
    }
}

/// Why there is no backup, or why one is not restored. Each description says what to do.
public enum BackupError: Error, Hashable, Sendable {
    case missing(path: String)
    case exists(path: String)
    /// No registry's database.
    case foreign(path: String)
    case newerSchema(path: String)
    /// What SQLite found.
    case damaged(path: String, finding: String)
    /// The system's or SQLite's own words.
    case failed(message: String)
}

extension BackupError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missing(let path):
            "there is no file \(path): check the path"
        case .exists(let path):
            "\(path) exists: give --force to replace it"
        case .foreign(let path):
            "\(path) is no registry’s database: check the path"
        case .newerSchema(let path):
            "\(path) was written by a newer version of this program: use that version"
        case .damaged(let path, let finding):
            "\(path) is damaged (\(finding)): use another backup"
        case .failed(let message):
            "the copy failed, and nothing was replaced (\(message)): check the disk’s space and the folder’s permissions"
        }
    }
}
