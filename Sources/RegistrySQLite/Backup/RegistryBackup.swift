import Foundation
import GRDB
public import RegistryAPI
import RegistrySQL

/// Copies of a registry's database, and the way back.
public enum RegistryBackup {
    /// Copies a database, also while a registry serves it: one consistent moment, without what was deleted.
    ///
    /// A reading connection of SQLite's write-ahead log needs no lock that a registry would wait for. The file has its
    /// name once it is whole, sound and on disk.
    ///
    /// - Parameter keeping: files of the registry that a backup must not replace, beside the database and its own.
    /// - Throws: ``BackupError``.
    public static func backUp(
        _ database: String, to file: String, replacing: Bool = false, keeping: [String] = []
    ) throws(BackupError) {
        let (database, file) = (FilePlace.absolute(database), FilePlace.absolute(file))
        guard exists(database) else { throw .missing(path: database) }
        let target = FilePlace(file)
        guard !(files(of: database) + keeping).contains(where: { FilePlace($0).isSame(as: target) }) else {
            throw .belongsToRegistry(path: file)
        }
        guard replacing || !exists(file) else { throw .exists(path: file) }
        guard !FilePlace.isSpecial(file) else { throw .special(path: file) }
        let partial = try DiskFile.createTemporary(beside: file)
        try translating(partial) {
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

    /// Puts a backup in a database's place, after it was found sound. Opening the database brings old tables up to date
    /// and repeats erasures that the backup does not know.
    ///
    /// At any moment until it is done the database that was there is whole, under its own name or the other one.
    ///
    /// - Throws: ``BackupError``; ``StoreOpenError`` where a registry serves the database, or it cannot be opened.
    @discardableResult
    public static func restore(
        _ file: String, to database: String, replacing: Bool = false
    ) throws -> RestoredDatabase {
        let (file, database) = (FilePlace.absolute(file), FilePlace.absolute(database))
        guard exists(file) else { throw BackupError.missing(path: file) }
        let source = FilePlace(file)
        guard !files(of: database).contains(where: { FilePlace($0).isSame(as: source) }) else {
            throw BackupError.belongsToRegistry(path: file)
        }
        let (kept, lastChange) = try exchange(file, database, replacing)
        let journal = SQLiteRegistryStore.revocationJournal(of: database)
        let hasJournal = exists(journal)
        _ = try SQLiteRegistryStore(path: database)
        return RestoredDatabase(
            replaced: kept, lastChange: lastChange, revocations: journal, knowsRevocations: hasJournal)
    }

    private static func exchange(
        _ file: String, _ database: String, _ replacing: Bool
    ) throws -> (kept: String?, lastChange: Timestamp?) {
        let lock = try DatabaseLock(forDatabase: database)
        defer { withExtendedLifetime(lock) {} }
        guard replacing || !exists(database) else { throw BackupError.exists(path: database) }
        let place = FilePlace.resolved(database)
        let partial = try DiskFile.createTemporary(beside: place)
        var kept: String?
        var lastChange: Timestamp?
        try translating(partial) {
            try DiskFile.copy(file, to: partial)
            // A database that was not closed, one that was replaced for instance, has its last changes in a log.
            if exists(file + "-wal") { try DiskFile.copy(file + "-wal", to: partial + "-wal") }
            lastChange = try check(partial, is: file)
            try DiskFile.sync(partial)
            kept = exists(place) ? try ReplacedDatabase(place).keep() : nil
            try DiskFile.move(partial, to: place)
        }
        return (kept, lastChange)
    }

    /// A database with all files that belong to it; its log and its index hold changes that the file alone does not.
    private static func files(of database: String) -> [String] {
        let place = FilePlace.resolved(database)
        let suffixes = ["", "-wal", "-shm", "-journal", ".lock", ".erasures", ".revocations"]
        return (place == database ? [database] : [database, place]).flatMap { path in suffixes.map { path + $0 } }
    }

    /// That a file is a registry's database that this program can use, without damage. Its log goes into it.
    ///
    /// - Returns: the time of its last change.
    @discardableResult
    private static func check(_ path: String, is name: String) throws -> Timestamp? {
        // An empty file would pass for a sound database without tables.
        guard FilePlace.size(of: path) ?? 0 > 0 else { throw BackupError.damaged(path: name, finding: "it is empty") }
        let queue = try DatabaseQueue(path: path)
        let lastChange = try queue.inDatabase { db in
            let findings = try String.fetchAll(db, sql: "PRAGMA quick_check(1)")
            guard findings == ["ok"] else { throw BackupError.damaged(path: name, finding: findings.joined()) }
            guard try db.rows("PRAGMA foreign_key_check", []).isEmpty else {
                throw BackupError.damaged(path: name, finding: "a row refers to one that is not there")
            }
            guard try !Schema.migrator.appliedIdentifiers(db).isEmpty else { throw BackupError.foreign(path: name) }
            guard try !Schema.migrator.hasBeenSuperseded(db) else { throw BackupError.newerSchema(path: name) }
            let sql = "SELECT time FROM audit WHERE time IS NOT NULL ORDER BY key DESC LIMIT 1"
            return try db.integer(sql, []).map { Timestamp(milliseconds: $0) }
        }
        try queue.close()
        return lastChange
    }

    private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

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

/// What was put in a database's place.
public struct RestoredDatabase: Hashable, Sendable {
    /// Where the database is that was there: beside the new one, under a name that nothing had before; nil where none was.
    public let replaced: String?
    /// When the backup was changed last, by the audit; everything later is not in it.
    public let lastChange: Timestamp?
    /// The journal of revocations, beside the database.
    public let revocations: String
    /// Whether that journal was there. Without it, tokens that were revoked after the backup was made work again.
    public let knowsRevocations: Bool
}

/// A database that another one takes the place of.
private struct ReplacedDatabase {
    private static let logs = ["-wal", "-shm"]

    let path: String

    init(_ path: String) { self.path = path }

    /// Gives the database a second name, and takes its log away, which SQLite would play into whatever comes after it.
    ///
    /// - Returns: the second name.
    func keep() throws -> String {
        // A closed database has no log. One that is damaged cannot be opened for that, and keeps it.
        if let queue = try? DatabaseQueue(path: path) {
            _ = try? queue.inDatabase { try $0.checkpoint(.truncate) }
            try? queue.close()
        }
        let name = freeName()
        for suffix in Self.logs + [""] where exists(path + suffix) {
            try DiskFile.link(path + suffix, to: name + suffix)
        }
        // Once the copy is whole under its new name.
        for suffix in Self.logs where exists(path + suffix) { try DiskFile.remove(path + suffix) }
        return name
    }

    /// A name of which nothing is there; what an earlier call has kept stays.
    private func freeName() -> String {
        let names = (1...Int.max).lazy.map { path + ($0 == 1 ? ".replaced" : ".replaced-\($0)") }
        let free = names.first { name in !([""] + Self.logs).contains { exists(name + $0) } }
        return free ?? path + ".replaced-\(UInt64.random(in: 0 ... .max))"
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}

/// Why there is no backup, or why one is not restored. Each description says what to do.
public enum BackupError: Error, Hashable, Sendable {
    case missing(path: String)
    case exists(path: String)
    /// The live database, or another file that the registry needs.
    case belongsToRegistry(path: String)
    /// A device, a folder or the like.
    case special(path: String)
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
        case .belongsToRegistry(let path):
            "\(path) is the registry’s own database or another file that it needs: give the backup another name"
        case .special(let path):
            "\(path) is no ordinary file: give the name of a file"
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
