import Foundation
import GRDB

extension Outbox {
    /// Opens the database and makes sure that what is written is written.
    static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        }
        let database = try DatabaseQueue(path: path, configuration: configuration)
        let synchronous = try database.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        guard synchronous == 2 else { throw DatabaseError(message: "synchronous=FULL did not take hold") }
        try migrator.migrate(database)
        return database
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("visits") { db in
            // revision counts writes, sent is the revision that the registry last answered for.
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
        return migrator
    }
}

/// Why the outbox cannot be opened.
public struct OutboxError: Error, CustomStringConvertible {
    public let path: String
    public let underlying: any Error

    public var description: String {
        "the outbox \(path) cannot be opened: \(underlying). Check that its folder exists, is writable and has room"
    }
}
