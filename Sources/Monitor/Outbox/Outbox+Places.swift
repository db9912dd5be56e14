import GRDB
public import RegistryAPI

// Places that become known.
extension Outbox {
    /// Gives visits that wait for a place this one. - Returns: how many there were.
    @discardableResult
    public func attachPlace(_ place: Place) async throws -> Int {
        let waiting = "SELECT * FROM visit WHERE placeless"
        let isNeeded = try await database.read { try Row.fetchOne($0, sql: waiting) != nil }
        guard isNeeded else { return 0 }
        return try await write { db in
            let rows = try Row.fetchAll(db, sql: waiting)
            for row in rows {
                var visit = try Self.decode(row.checked("body"))
                visit.place = place
                try db.execute(
                    sql: "UPDATE visit SET body = ?, placeless = 0, revision = revision + 1 WHERE id = ?",
                    arguments: [try Self.encode(visit), visit.id.data])
            }
            return rows.count
        }
    }
}
