import Beacons
import Foundation
import GRDB
import Glibc
import OperatingSystem
import RegistryAPI

extension Outbox {
    /// Opens the database with durable writes, and verifies its integrity.
    static func open(_ path: String) throws -> DatabaseQueue {
        keepPrivate(path)
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(
                sql: """
                    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;
                    \(answeredTable)
                    """)
        }
        let database = try DatabaseQueue(path: path, configuration: configuration)
        let (synchronous, check) = try database.read { db in
            (try Int.fetchOne(db, sql: "PRAGMA synchronous"), try String.fetchOne(db, sql: "PRAGMA quick_check(1)"))
        }
        guard synchronous == 2 else { throw DatabaseError(message: "synchronous=FULL did not take effect") }
        guard check == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: check) }
        try migrator.migrate(database)
        return database
    }

    /// Creates the file readable for its user only, before anything is written, and restricts an existing file, since
    /// it records when which bike was where. SQLite gives its other files the same permissions. Failures here are
    /// reported when the file is opened.
    private static func keepPrivate(_ path: String) {
        guard (try? PrivateFile.create(path)) != nil else { return }
        for suffix in ["", "-wal", "-shm"] { chmod(path + suffix, 0o600) }
    }

    /// Responses that are written with the next write; a temporary table in memory causes no disk write.
    static let answeredTable =
        "CREATE TEMP TABLE answered (id BLOB NOT NULL PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID"

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("visits") { db in
            // revision counts writes; sent is the last revision that the registry acknowledged.
            try db.execute(
                sql: """
                    CREATE TABLE visit (
                        id BLOB NOT NULL PRIMARY KEY,
                        body TEXT NOT NULL,
                        revision INTEGER NOT NULL,
                        sent INTEGER NOT NULL DEFAULT 0,
                        ended INTEGER NOT NULL,
                        refusal TEXT
                    ) STRICT, WITHOUT ROWID
                    """
            )
        }
        migrator.registerMigration("states", migrate: addStates)
        migrator.registerMigration("alarms") { db in
            // One alarm per stay. visit is the visit that raised it and that staff answer; rung names the bells that
            // have rung.
            try db.execute(
                sql: """
                    CREATE TABLE alarm (
                        stay BLOB NOT NULL PRIMARY KEY, visit BLOB NOT NULL UNIQUE, look_for TEXT NOT NULL,
                        confirmation TEXT
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE rung (
                        stay BLOB NOT NULL REFERENCES alarm ON DELETE CASCADE, bell TEXT NOT NULL,
                        PRIMARY KEY (stay, bell)
                    ) STRICT, WITHOUT ROWID
                    """)
        }
        migrator.registerMigration("refused for signal values", migrate: reportAgain)
        migrator.registerMigration("stays of rotating beacons") { db in
            // Stays that, according to the registry, continue an earlier one under another identity of the same beacon.
            try db.execute(
                sql: """
                    CREATE TABLE continuation (
                        stay BLOB NOT NULL PRIMARY KEY, first BLOB NOT NULL
                    ) STRICT, WITHOUT ROWID
                    """)
        }
        migrator.registerMigration("earliest reading of the clock") { db in
            // Like anchor, which has the latest reading; this one is the reading of this boot that gives the earliest
            // time.
            try db.execute(
                sql: """
                    CREATE TABLE earliest (
                        key INTEGER NOT NULL PRIMARY KEY CHECK (key = 1), boot TEXT NOT NULL, instant INTEGER NOT NULL,
                        wall INTEGER NOT NULL
                    ) STRICT
                    """)
        }
        return migrator
    }

    /// Reports again, without the implausible values, the visits that a registry refused because an earlier version
    /// sent values that no radio measures.
    private static func reportAgain(_ db: Database) throws {
        for row in try Row.fetchAll(db, sql: "SELECT id, body FROM visit WHERE refusal IS NOT NULL") {
            guard var visit = try? decode(row.checked("body")), visit.dropImplausibleSignal() else { continue }
            try db.execute(
                sql: "UPDATE visit SET body = ?, revision = revision + 1, refusal = NULL WHERE id = ?",
                arguments: [try encode(visit), try row.checked("id") as Data])
        }
    }

    /// Adds the columns for what a visit waits for, and the tables that the outbox keeps in addition to visits.
    private static func addStates(_ db: Database) throws {
        // last_seen is wall time in milliseconds. boot is set while wall time is not trusted, together with the boot
        // clock's nanoseconds. consent: see Consent.
        try db.execute(
            sql: """
                ALTER TABLE visit ADD COLUMN stay BLOB;
                ALTER TABLE visit ADD COLUMN last_seen INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE visit ADD COLUMN boot TEXT;
                ALTER TABLE visit ADD COLUMN boot_first INTEGER;
                ALTER TABLE visit ADD COLUMN boot_last INTEGER;
                ALTER TABLE visit ADD COLUMN placeless INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE visit ADD COLUMN consent INTEGER NOT NULL DEFAULT 0;
                CREATE INDEX visit_uncertain ON visit (boot) WHERE boot IS NOT NULL;
                CREATE INDEX visit_placeless ON visit (placeless) WHERE placeless;
                CREATE INDEX visit_consent ON visit (consent) WHERE consent <> 0;
                CREATE TABLE consent (
                    stay BLOB NOT NULL PRIMARY KEY, state INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE tally (
                    name TEXT NOT NULL PRIMARY KEY, count INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE anchor (
                    key INTEGER NOT NULL PRIMARY KEY CHECK (key = 1), boot TEXT NOT NULL, instant INTEGER NOT NULL,
                    wall INTEGER NOT NULL
                ) STRICT
                """
        )
        for row in try Row.fetchAll(db, sql: "SELECT id, body FROM visit") {
            let visit = try decode(row.checked("body"))
            try db.execute(
                sql: "UPDATE visit SET stay = ?, last_seen = ? WHERE id = ?",
                arguments: [visit.stay.data, visit.lastSeen.milliseconds, try row.checked("id") as Data])
        }
    }
}

extension Visit {
    /// Removes values that no radio measures.
    ///
    /// - Returns: whether there were any.
    fileprivate mutating func dropImplausibleSignal() -> Bool {
        let before = self
        if !IBeacon.plausiblePowers.contains(where: { Int($0) == measuredPower }) { measuredPower = 0 }
        if let rssi, [rssi.min, rssi.max].contains(where: { Advertisement.signalStrength($0) == nil }) {
            self.rssi = nil
        }
        return self != before
    }
}

extension DatabaseError {
    /// Whether the file is damaged or not a database, rather than on a disk that is full or failing.
    var isDamage: Bool {
        resultCode.primaryResultCode == .SQLITE_CORRUPT || resultCode.primaryResultCode == .SQLITE_NOTADB
    }
}

extension DatabaseError {
    /// What is wrong, in words for people who do not know SQLite.
    fileprivate var reason: String {
        switch resultCode.primaryResultCode {
        case .SQLITE_FULL: "the disk is full"
        case .SQLITE_IOERR: "the disk is full or fails (error \(extendedResultCode.rawValue) of SQLite)"
        case .SQLITE_READONLY: "it may only be read"
        case .SQLITE_BUSY, .SQLITE_LOCKED: "another program uses it"
        case .SQLITE_CANTOPEN: "it cannot be opened"
        default: description
        }
    }
}

/// The reason why the outbox cannot be used.
public struct OutboxError: Error, CustomStringConvertible {
    public let path: String
    public let underlying: any Error

    public var description: String {
        if (underlying as? DatabaseError)?.isDamage == true {
            return "the outbox \(path) is damaged: start the monitor again, which sets it aside and begins a new one "
                + "(\(underlying)); if it happens again, replace the disk"
        }
        let reason = (underlying as? DatabaseError)?.reason ?? "\(underlying)"
        return "the outbox \(path) cannot be used: \(reason). Check that its folder exists, is writable and has room"
    }
}
