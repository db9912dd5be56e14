import Foundation
import GRDB
public import Registry
public import RegistryAPI

// How stations come and go.
extension SQLiteRegistryStore {
    public func addInvitation(_ invitation: NewInvitation, once: IdempotencyKey?) async throws -> InvitationID {
        try await write { db in
            if let earlier = try db.resource(of: once) { return try db.renew(earlier, with: invitation) }
            let details = invitation.details
            try db.run(
                """
                INSERT INTO invitation (id, name, venue, mobile, latitude, longitude, accuracy, code, created, expires)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    invitation.id.blob, details.name, details.venue ?? details.name, details.mobile ?? false,
                    details.place.latitude, details.place.longitude, details.place.accuracy, invitation.code.blob,
                    invitation.created.milliseconds, invitation.expires.milliseconds,
                ]
            )
            try db.remember(once, resource: invitation.id.blob)
            try db.audit(
                AuditEvent(
                    .stationInvited, by: invitation.by, at: invitation.created,
                    details: ["invitation": invitation.id.description, "name": details.name]
                )
            )
            return invitation.id
        }
    }

    public func pendingInvitations(
        _ page: PageRequest<InvitationID>, at time: Timestamp
    ) async throws -> StoredPage<PendingInvitation, InvitationID> {
        try await read { db in
            let after = page.after ?? InvitationID(high: 0, low: 0)
            let sql = "SELECT * FROM invitation WHERE station IS NULL AND expires > ? AND id > ? ORDER BY id LIMIT ?"
            return try db.rows(sql, [time.milliseconds, after.blob, page.limit + 1])
                .map(PendingInvitation.init)
                .page(limit: page.limit, cursor: \.id)
        }
    }

    public func cancelInvitation(_ id: InvitationID, by operator: Principal, at time: Timestamp) async throws {
        try await write { db in
            guard let row = try db.row("SELECT name, station FROM invitation WHERE id = ?", [id.blob]) else {
                throw DomainError.notFound("invitation")
            }
            guard !row.hasNonNull("station") else { throw DomainError.invitationAccepted(id) }
            let name: String = try row["name"]
            try db.run("DELETE FROM invitation WHERE id = ?", [id.blob])
            try db.audit(
                AuditEvent(
                    .stationInvitationCancelled, by: `operator`, at: time,
                    details: ["invitation": id.description, "name": name]
                )
            )
        }
    }

    public func enrol(_ enrolment: Enrolment) async throws -> Station {
        try await write { db in
            let sql = "SELECT * FROM invitation WHERE code = ? AND expires > ?"
            guard let invitation = try db.row(sql, [enrolment.code.blob, enrolment.time.milliseconds]) else {
                throw DomainError.codeUnusable
            }
            if let key: Int64 = try invitation["station"] {
                return try db.repeatEnrolment(enrolment, invitation, of: key)
            }
            return try db.enrol(enrolment, by: invitation)
        }
    }

    public func revokeStation(
        _ id: StationID, quarantineSince quarantine: Timestamp?, by operator: Principal, at time: Timestamp
    ) async throws -> Station {
        try await write { db in
            let key = try db.key(of: id)
            try db.run("DELETE FROM token WHERE station = ?", [key])
            try db.run(
                "UPDATE station SET revoked = ?, version = version + 1 WHERE key = ? AND revoked IS NULL",
                [time.milliseconds, key]
            )
            var isNew = db.changesCount == 1
            if let quarantine { isNew = try db.quarantine(key, since: quarantine, at: time) || isNew }
            if isNew {
                let details = quarantine.map { ["quarantineSince": "\($0)"] } ?? [:]
                try db.audit(AuditEvent(.stationRevoked, by: `operator`, at: time, station: id, details: details))
            }
            guard let station = try db.station(id)?.station else { throw DomainError.notFound("station") }
            return station
        }
    }
}

extension PendingInvitation {
    fileprivate init(_ row: Row) throws {
        guard let place = try row.place() else { throw CorruptRow(column: "latitude") }
        self.init(
            id: try row.id("id"), name: try row["name"], venue: try row["venue"], mobile: try row["mobile"],
            place: place,
            created: try row.timestamp("created"), expires: try row.timestamp("expires")
        )
    }
}

extension Database {
    /// Gives an invitation that nobody has accepted a new code and a new expiry.
    fileprivate func renew(_ id: Data, with renewal: NewInvitation) throws -> InvitationID {
        try run(
            "UPDATE invitation SET code = ?, expires = ? WHERE id = ? AND station IS NULL",
            [renewal.code.blob, renewal.expires.milliseconds, id]
        )
        let isRenewed = changesCount == 1
        guard let known = InvitationID(blob: id) else { throw CorruptRow(column: "resource") }
        if isRenewed { return known }
        // A repetition does not bring back what was cancelled.
        guard try row("SELECT key FROM invitation WHERE id = ?", [id]) != nil else {
            throw DomainError.notFound("invitation")
        }
        throw DomainError.invitationAccepted(known)
    }

    fileprivate func enrol(_ enrolment: Enrolment, by invitation: Row) throws -> Station {
        guard let place = try invitation.place() else { throw CorruptRow(column: "latitude") }
        let station = Station(
            id: enrolment.station, name: try invitation["name"], venue: try invitation["venue"],
            mobile: try invitation["mobile"], place: place, enrolled: enrolment.time
        )
        try insert(station)
        let key = lastInsertedRowID
        try insert(place, of: key, since: 0)
        try insert(enrolment.token, ofStation: key, at: enrolment.time)
        try run(
            "UPDATE invitation SET station = ?, attempt = ? WHERE key = ?",
            [key, enrolment.attempt?.blob, try invitation["key"] as Int64]
        )
        try audit(enrolment, invitation, station: station.id, place: place)
        return station
    }

    /// The answer to the first attempt was lost: the token that it held is worth nothing any more.
    fileprivate func repeatEnrolment(_ enrolment: Enrolment, _ invitation: Row, of key: Int64) throws -> Station {
        guard let attempt = enrolment.attempt, (try invitation["attempt"] as Data?) == attempt.blob,
            let row = try row("SELECT id FROM station WHERE key = ? AND revoked IS NULL", [key]),
            let station = try station(try row.id("id"))?.station
        else { throw DomainError.codeUnusable }
        try run("DELETE FROM token WHERE station = ?", [key])
        try insert(enrolment.token, ofStation: key, at: enrolment.time)
        try audit(enrolment, invitation, station: station.id, place: nil)
        return station
    }

    /// - Parameter place: where the station was surveyed; nil where an entry tells it already.
    private func audit(_ enrolment: Enrolment, _ invitation: Row, station: StationID, place: Place?) throws {
        let invitation: InvitationID = try invitation.id("id")
        let details = ["invitation": invitation.description].merging(place?.auditDetails ?? [:]) { $1 }
        try audit(
            AuditEvent(
                .stationEnrolled, by: nil, at: enrolment.time, station: station,
                details: details
            )
        )
    }

    func insert(_ station: Station, isApp: Bool = false) throws {
        try run(
            "INSERT INTO station (id, name, venue, mobile, app, enrolled) VALUES (?, ?, ?, ?, ?, ?)",
            [station.id.blob, station.name, station.venue, station.mobile, isApp, station.enrolled.milliseconds]
        )
    }

    private func insert(_ token: SecretDigest, ofStation key: Int64, at time: Timestamp) throws {
        try run(
            "INSERT INTO token (digest, station, created) VALUES (?, ?, ?)", [token.blob, key, time.milliseconds]
        )
    }

    /// Puts what a station told since a time under quarantine; returns whether any of it was trusted until now.
    fileprivate func quarantine(_ station: Int64, since: Timestamp, at time: Timestamp) throws -> Bool {
        try run(
            "UPDATE station SET quarantined_since = ?1 WHERE key = ?2 AND coalesce(quarantined_since, ?1 + 1) > ?1",
            [since.milliseconds, station]
        )
        guard changesCount == 1 else { return false }
        try beginJudging(station, since: since.milliseconds, at: time)
        return true
    }
}
