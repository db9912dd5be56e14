import Foundation
import GRDB
import OperatingSystem
public import RegistryAPI
import RegistrySQL

/// Backs up and restores a registry's database.
public enum RegistryBackup {
    /// Copies a database, even while a registry serves it, as one consistent snapshot without deleted content.
    ///
    /// A read connection in SQLite's WAL mode needs no lock that a registry would wait for. The file gets its name once
    /// it is complete, checked and on disk.
    ///
    /// - Parameters:
    ///   - database: the path of the database.
    ///   - file: the path of the backup.
    ///   - replacing: whether an existing file may be replaced.
    ///   - keeping: the registry's other files that a backup must not replace, besides the database and its files.
    ///   - photos: the store of the pictures; nil to make a backup without pictures.
    /// - Returns: the number of photos whose pictures are missing.
    /// - Throws: ``BackupError``.
    @discardableResult
    public static func backUp(
        _ database: String, to file: String, replacing: Bool = false, keeping: [String] = [],
        photos: PhotoBackup? = nil
    ) throws(BackupError) -> Int {
        let (database, file) = (FilePlace.absolute(database), FilePlace.absolute(file))
        guard exists(database) else { throw .missing(path: database) }
        let target = FilePlace(file)
        guard !(files(of: database) + keeping).contains(where: { FilePlace($0).isSame(as: target) }) else {
            throw .belongsToRegistry(path: file)
        }
        guard replacing || !exists(file) else { throw .exists(path: file) }
        guard !FilePlace.isSpecial(file) else { throw .special(path: file) }
        let partial = try PartialFile(beside: file)
        var missing = 0
        try translating(partial) {
            try DatabaseQueue.reading(database) { queue in
                try queue.inDatabase { try $0.execute(sql: "VACUUM INTO ?", arguments: [partial.path]) }
            }
            if let photos {
                let copy = try DatabaseQueue(path: partial.path)
                missing = try photos.fill(copy)
                try copy.close()
            }
            try check(partial.path, is: file)
            try DiskFile.sync(partial.path)
            try DiskFile.move(partial.path, to: file)
        }
        return missing
    }

    /// Replaces a database with a backup, after checking the backup. Opening the database then updates old tables and
    /// repeats the erasures that the backup does not contain.
    ///
    /// At any moment until this is done, the previous database is intact, under its own name or the second one.
    ///
    /// - Throws: ``BackupError``; ``StoreOpenError`` if a registry serves the database, or if it cannot be opened.
    @discardableResult
    public static func restore(
        _ file: String, to database: String, replacing: Bool = false, photos: PhotoBackup? = nil
    ) throws -> RestoredDatabase {
        let (file, database) = (FilePlace.absolute(file), FilePlace.absolute(database))
        guard exists(file) else { throw BackupError.missing(path: file) }
        let source = FilePlace(file)
        guard !files(of: database).contains(where: { FilePlace($0).isSame(as: source) }) else {
            throw BackupError.belongsToRegistry(path: file)
        }
        let (kept, lastChange) = try exchange(file, database, replacing, photos)
        let journal = SQLiteRegistryStore.revocationJournal(of: database)
        let hasJournal = exists(journal)
        try SQLiteRegistryStore(path: database).close()
        return RestoredDatabase(
            replaced: kept, lastChange: lastChange, revocations: journal, knowsRevocations: hasJournal)
    }

    /// Puts a checked copy of the backup in the place of the database, which gets another name.
    ///
    /// - Returns: that name, or nil if there was no database; and the time of the backup's last change.
    private static func exchange(
        _ file: String, _ database: String, _ replacing: Bool, _ photos: PhotoBackup?
    ) throws -> (kept: String?, lastChange: Timestamp?) {
        let lock = try DatabaseLock(forDatabase: database)
        defer { withExtendedLifetime(lock) {} }
        guard replacing || !exists(database) else { throw BackupError.exists(path: database) }
        let place = FilePlace.resolved(database)
        let partial = try PartialFile(beside: place)
        var kept: String?
        var lastChange: Timestamp?
        try translating(partial) {
            try DiskFile.copy(file, to: partial.path)
            // A database that was not closed, for instance one that was replaced, has its last changes in a log.
            if exists(file + "-wal") { try DiskFile.copy(file + "-wal", to: partial.path + "-wal") }
            lastChange = try check(partial.path, is: file)
            try photos?.takeOut(of: partial.path)
            try DiskFile.sync(partial.path)
            // The pictures first: while the database has its own name, it has them, too.
            kept = exists(place) ? try ReplacedDatabase(place).keep { try photos?.keep($0) } : nil
            try DiskFile.move(partial.path, to: place)
        }
        return (kept, lastChange)
    }

    /// A database and all files that belong to it; the log and its index hold changes that the main file does not.
    private static func files(of database: String) -> [String] {
        let place = FilePlace.resolved(database)
        let suffixes = ["", "-wal", "-shm", "-journal", ".lock", ".erasures", ".revocations", ".backed-up"]
        return (place == database ? [database] : [database, place]).flatMap { path in suffixes.map { path + $0 } }
    }

    /// Checks that a file is an undamaged registry database that this program can use. Its log is merged into it.
    ///
    /// - Parameter name: the path that an error names.
    /// - Returns: the time of its last change.
    @discardableResult
    private static func check(_ path: String, is name: String) throws -> Timestamp? {
        // SQLite accepts an empty file as a valid database without tables.
        guard FilePlace.size(of: path) ?? 0 > 0 else { throw BackupError.damaged(path: name, finding: "it is empty") }
        let queue = try DatabaseQueue(path: path)
        let lastChange = try queue.inDatabase { db in
            let findings = try String.fetchAll(db, sql: "PRAGMA quick_check(1)")
            guard findings == ["ok"] else { throw BackupError.damaged(path: name, finding: findings.joined()) }
            guard try SQLiteTransaction(db).rows("PRAGMA foreign_key_check", []).isEmpty else {
                throw BackupError.damaged(path: name, finding: "a row refers to a missing row")
            }
            let steps = try Schema.migrator.appliedIdentifiers(db)
            guard !steps.isEmpty else { throw BackupError.foreign(path: name) }
            guard !Schema.isUnreleased(steps) else { throw BackupError.unreleasedSchema(path: name) }
            guard steps.isSubset(of: Schema.migrator.migrations) else { throw BackupError.newerSchema(path: name) }
            let sql = "SELECT time FROM audit WHERE time IS NOT NULL ORDER BY key DESC LIMIT 1"
            return try SQLiteTransaction(db).integer(sql, []).map { Timestamp(milliseconds: $0) }
        }
        try queue.close()
        return lastChange
    }

    /// Whether anything exists at a path.
    private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Runs a step that creates a file, and removes the file if the step fails. Any error becomes a ``BackupError``.
    private static func translating(_ partial: PartialFile, _ body: () throws -> Void) throws(BackupError) {
        do {
            try body()
        } catch {
            partial.remove()
            throw error as? BackupError ?? .failed(message: "\(error)")
        }
    }
}

/// The result of restoring a backup.
public struct RestoredDatabase: Hashable, Sendable {
    /// The new path of the previous database, an unused name next to the restored one; nil if there was none.
    public let replaced: String?
    /// The time of the backup's last change, according to the audit; later changes are lost.
    public let lastChange: Timestamp?
    /// The path of the journal of revocations, next to the database.
    public let revocations: String
    /// Whether that journal existed. Without it, tokens that were revoked after the backup was made are valid again.
    public let knowsRevocations: Bool
}

/// A database that is about to be replaced.
private struct ReplacedDatabase {
    /// The ends of the names of SQLite's log and of its index.
    private static let logs = ["-wal", "-shm"]

    let path: String

    init(_ path: String) { self.path = path }

    /// Gives the database a second name, and removes its log, which SQLite would otherwise apply to the new database.
    ///
    /// - Parameter first: called with the second name before anything changes.
    /// - Returns: the second name.
    func keep(_ first: (String) throws -> Void) throws -> String {
        // A database that is closed properly has no log. A damaged one cannot be opened for that, and keeps its log.
        if let queue = try? DatabaseQueue(path: path) {
            _ = try? queue.inDatabase { try $0.checkpoint(.truncate) }
            try? queue.close()
        }
        let name = freeName()
        try first(name)
        for suffix in Self.logs + [""] where exists(path + suffix) {
            try DiskFile.link(path + suffix, to: name + suffix)
        }
        // Only after the copy is complete under its new name.
        for suffix in Self.logs where exists(path + suffix) { try DurableFile.remove(path + suffix) }
        return name
    }

    /// An unused name; files kept by earlier calls are not replaced.
    private func freeName() -> String {
        let names = (1...Int.max).lazy.map { path + ($0 == 1 ? ".replaced" : ".replaced-\($0)") }
        let free = names.first { name in !([""] + Self.logs).contains { exists(name + $0) } }
        return free ?? path + ".replaced-\(UInt64.random(in: 0 ... .max))"
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}

/// The reason why a backup cannot be made or restored. Each description says what to do.
public enum BackupError: Error, Hashable, Sendable {
    /// There is no file to copy.
    case missing(path: String)
    /// The file exists, and must not be replaced.
    case exists(path: String)
    /// The path is that of the live database, or of another file that the registry needs.
    case belongsToRegistry(path: String)
    /// The path is that of a device, a folder or another special file.
    case special(path: String)
    /// The file is not a registry's database.
    case foreign(path: String)
    /// A newer version of the program has made the tables.
    case newerSchema(path: String)
    /// A development version has made the tables, before the first release.
    case unreleasedSchema(path: String)
    /// SQLite reports damage.
    case damaged(path: String, finding: String)
    /// The message of the system or of SQLite.
    case failed(message: String)
}

extension BackupError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missing(let path):
            "there is no file \(path): check the path"
        case .exists(let path):
            "\(path) exists: give --force to replace it"
        case .belongsToRegistry(let path):
            "\(path) is the registry’s own database or another file that it needs: give the backup another name"
        case .special(let path):
            "\(path) is not a regular file: give the name of a file"
        case .foreign(let path):
            "\(path) is not a registry’s database: check the path"
        case .newerSchema(let path):
            "\(path) was written by a newer version of this program: use that version"
        case .unreleasedSchema(let path):
            "\(path) was written by a development version before the first release: use that version"
        case .damaged(let path, let finding):
            "\(path) is damaged (\(finding)): use another backup"
        case .failed(let message):
            "the copy failed, and nothing was replaced (\(message)): check the disk’s space and the folder’s permissions"
        }
    }
}
