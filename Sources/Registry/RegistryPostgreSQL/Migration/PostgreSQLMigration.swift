import Evidence
import Foundation
import PostgreSQL
package import RegistryRules
package import RegistrySQL

/// Copies an SQLite database with its photos into an empty PostgreSQL database.
package struct PostgreSQLMigration {
    /// What was copied.
    package struct Copied: Sendable {
        package var rows: Int64 = 0
        package var auditEntries: Int64 = 0
        package var photos = 0
        /// Photos whose pictures are missing in the source.
        package var missingPhotos = 0
    }

    private let server: PostgreSQLServer

    package init(to server: PostgreSQLServer) { self.server = server }

    /// Copies everything in one transaction, after comparing the numbers of rows and verifying the audit.
    ///
    /// - Parameters:
    ///   - source: a read transaction.
    ///   - pictures: reads the pictures of a photo; nil if they are missing.
    /// - Throws: ``PostgreSQLOpenError``, ``DatabaseCopyError``, ``ChainWalk/Fault``; the errors of both databases.
    package func copy(_ source: any Transaction, pictures: (PhotoName) throws -> PhotoPictures?) throws -> Copied {
        var deadlines = Deadlines()
        // A statement may build an index or verify the whole audit.
        deadlines.roundTrip = .seconds(3600)
        do {
            let connection = try Connection.open(server.connection, deadlines, timelines: Timelines())
            defer { connection.close() }
            try server.examine(connection)
            try Migration(connection: connection).run()
            let copied = try connection.transaction { try copy(source, to: $0, pictures) }
            try Migration(connection: connection).analyze()
            return copied
        } catch let error as PostgreSQLError {
            throw PostgreSQLOpenError(error)
        }
    }

    private func copy(
        _ source: any Transaction, to connection: Connection, _ pictures: (PhotoName) throws -> PhotoPictures?
    ) throws -> Copied {
        // The source may need long for a table’s first row.
        try connection.run("SET LOCAL idle_in_transaction_session_timeout = 0")
        var copied = Copied()
        copied.rows = try DatabaseCopy(from: source, to: connection).run().reduce(0) { $0 + $1.rows }
        try source.eachRow("SELECT name FROM photo UNION ALL SELECT name FROM finder_photo ORDER BY name", []) { row in
            guard let name = PhotoName(blob: try row["name"]) else { throw CorruptRow(column: "name") }
            guard let pictures = try pictures(name) else {
                copied.missingPhotos += 1
                return
            }
            try connection.run(
                "INSERT INTO picture (name, large, small) VALUES ($1, $2, $3)",
                [.bytes(Array(name.blob)), .bytes(pictures.large), .bytes(pictures.small)])
            copied.photos += 1
        }
        let target = PostgreSQLTransaction(connection, StatementTexts(), .inParts)
        copied.auditEntries = Int64(try AuditVerifier(target).verify(nil, against: []).entries)
        return copied
    }
}
