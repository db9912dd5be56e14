import Foundation
import GRDB
import RegistryAPI
import StationStatus
import Syntax

// Damaged files.
extension Outbox {
    /// Renames a damaged outbox, and creates a new one with the visits that can be read from it.
    static func replaceDamaged(_ path: String, because damage: DatabaseError) throws(OutboxError) -> DatabaseQueue {
        do {
            let aside = try setAside(path)
            let database = try open(path)
            let salvaged = salvage(aside)
            try database.write { db in
                for row in salvaged { try insert(row, db) }
                try count(.damagedFiles, 1, db)
                try count(.salvaged, salvaged.count, db)
            }
            return database
        } catch {
            throw OutboxError(path: path, underlying: error)
        }
    }

    /// The damaged outboxes that were set aside next to the one at this path.
    public static func filesSetAside(beside path: String) -> [String] {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent().path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let prefix = url.lastPathComponent + ".damaged-"
        return names.filter { $0.begins(with: prefix) && !$0.ends(with: "-wal") && !$0.ends(with: "-shm") }.sorted()
            .map { "\(folder)/\($0)" }
    }

    /// Renames the files of an outbox.
    ///
    /// - Returns: the new path.
    private static func setAside(_ path: String) throws -> String {
        var number = 1
        while FileManager.default.fileExists(atPath: "\(path).damaged-\(number)") { number += 1 }
        let aside = "\(path).damaged-\(number)"
        try FileManager.default.moveItem(atPath: path, toPath: aside)
        // The log belongs to the old database: if it stayed, SQLite would replay it into the new one.
        for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.moveItem(atPath: path + suffix, toPath: aside + suffix)
        }
        return aside
    }

    /// The rows that can be read, from both ends towards the damage.
    private static func salvage(_ path: String) -> [Row] {
        guard let database = try? DatabaseQueue(path: path) else { return [] }
        var rows: [Data: Row] = [:]
        for order in ["ASC", "DESC"] {
            try? database.read { db in
                let cursor = try Row.fetchCursor(db, sql: "SELECT * FROM visit ORDER BY id \(order)")
                while let row = try cursor.next() {
                    guard let id: Data = try? row.checked("id"), let body: String = try? row.checked("body"),
                        (try? decode(body)) != nil
                    else { continue }
                    rows[id] = row.copy()
                }
            }
        }
        return Array(rows.values)
    }

    /// Copies a row of the damaged outbox. Columns that cannot be read get their default values.
    private static func insert(_ row: Row, _ db: Database) throws {
        let visit = try decode(row.checked("body"))
        // Visits that had a response are reported again, which changes nothing.
        try db.execute(
            sql: """
                INSERT INTO visit (id, stay, body, revision, ended, last_seen, boot, boot_first, boot_last, placeless,
                    consent, refusal)
                VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                visit.id.data, visit.stay.data, try encode(visit), visit.ended, visit.lastSeen.milliseconds,
                try? row.checked("boot") as String?, try? row.checked("boot_first") as Int64?,
                try? row.checked("boot_last") as Int64?, (try? row.checked("placeless") as Bool) ?? false,
                (try? row.checked("consent") as Int) ?? 0, try? row.checked("refusal") as String?,
            ])
    }
}
