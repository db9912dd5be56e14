import Foundation
import GRDB
public import Registry
public import RegistryAPI

extension SQLiteRegistryStore {
    public func addInvitation(_ invitation: NewInvitation, once: OnceKey?) async throws -> InvitationID {
        try await write { db in
            if let earlier = try db.resource(of: once) { return try db.renew(earlier, with: invitation) }
            let details = invitation.details
            try db.run(
                """
                INSERT INTO invitation (id, name, latitude, longitude, accuracy, code, created, expires)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    invitation.id.blob, details.name, details.place.latitude, details.place.longitude,
                    details.place.accuracy, invitation.code.blob, invitation.created.milliseconds,
                    invitation.expires.milliseconds,
                ]
            )
            try db.remember(once, resource: invitation.id.blob)
            return invitation.id
        }
    }

    public func enrol(
        code: SecretDigest, as id: StationID, token: SecretDigest, at time: Timestamp
    ) async throws -> Station {
        try await write { db in
            let sql = "SELECT * FROM invitation WHERE code = ? AND station IS NULL AND expires > ?"
            guard let invitation = try db.row(sql, [code.blob, time.milliseconds]), let place = invitation.place()
            else {
                throw DomainError.codeUnusable
            }
            let station = Station(id: id, name: invitation["name"], place: place, enrolled: time)
            try db.insert(station, token: token)
            try db.run(
                "UPDATE invitation SET station = (SELECT key FROM station WHERE id = ?) WHERE code = ?",
                [id.blob, code.blob]
            )
            return station
        }
    }

    public func stations(_ page: PageRequest<StationID>) async throws -> StoredPage<Station, StationID> {
        try await read { db in
            let after = page.after ?? StationID(high: 0, low: 0)
            return try db.rows("SELECT * FROM station WHERE id > ? ORDER BY id LIMIT ?", [after.blob, page.limit + 1])
                .map(Station.init)
                .page(limit: page.limit, cursor: \.id)
        }
    }
}

extension Database {
    /// Gives an invitation that nobody has accepted a new code and a new expiry.
    fileprivate func renew(_ id: Data, with renewal: NewInvitation) throws -> InvitationID {
        try run(
            "UPDATE invitation SET code = ?, expires = ? WHERE id = ? AND station IS NULL",
            [renewal.code.blob, renewal.expires.milliseconds, id]
        )
        guard let id = InvitationID(blob: id) else { throw CorruptRow(column: "resource") }
        guard changesCount == 1 else { throw DomainError.invitationAccepted(id) }
        return id
    }

    fileprivate func insert(_ station: Station, token: SecretDigest) throws {
        try run(
            "INSERT INTO station (id, name, latitude, longitude, accuracy, enrolled) VALUES (?, ?, ?, ?, ?, ?)",
            [
                station.id.blob, station.name, station.place.latitude, station.place.longitude, station.place.accuracy,
                station.enrolled.milliseconds,
            ]
        )
        try run(
            "INSERT INTO token (digest, station, created) VALUES (?, ?, ?)",
            [token.blob, lastInsertedRowID, station.enrolled.milliseconds]
        )
    }
}

extension Station {
    fileprivate init(_ row: Row) throws {
        guard let place = row.place() else { throw CorruptRow(column: "latitude") }
        self.init(id: try row.id("id"), name: row["name"], place: place, enrolled: row.timestamp("enrolled"))
    }
}
