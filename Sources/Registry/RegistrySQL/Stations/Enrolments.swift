import Foundation
package import RegistryAPI
package import RegistryRules

/// Invitations, enrolments and revocations of stations.
package struct Enrolments {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Adds an invitation, and returns its identifier. A repeated call renews the code and the expiry of the first
    /// invitation.
    ///
    /// - Throws: `notFound`, `invitationAccepted`, `idempotencyKeyReused`.
    package func invite(_ invitation: NewInvitation, once: IdempotencyKey?) throws -> InvitationID {
        if let earlier = try IdempotencyKeys(db).resource(of: once) { return try renew(earlier, with: invitation) }
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
        try IdempotencyKeys(db).remember(once, resource: invitation.id.blob)
        try AuditTrail(db).append(
            AuditEvent(
                .stationInvited, by: invitation.by, at: invitation.created,
                details: ["invitation": invitation.id.description, "name": details.name]
            )
        )
        return invitation.id
    }

    /// The invitations that can still be accepted, in the order of their creation.
    package func pendingInvitations(
        _ page: PageRequest<InvitationID>, at time: Timestamp
    ) throws -> StoredPage<PendingInvitation, InvitationID> {
        let after = page.after ?? InvitationID(high: 0, low: 0)
        let sql = "SELECT * FROM invitation WHERE station IS NULL AND expires > ? AND id > ? ORDER BY id LIMIT ?"
        return try db.rows(sql, [time.milliseconds, after.blob, page.limit + 1])
            .map(PendingInvitation.init)
            .page(limit: page.limit, cursor: \.id)
    }

    /// Deletes an invitation that has not been accepted.
    ///
    /// - Throws: `notFound`, `invitationAccepted`.
    package func cancelInvitation(_ id: InvitationID, by operator: Principal, at time: Timestamp) throws {
        guard let row = try db.row("SELECT name, station FROM invitation WHERE id = ?", [id.blob]) else {
            throw DomainError.notFound("invitation")
        }
        guard !row.hasNonNull("station") else { throw DomainError.invitationAccepted(id) }
        let name: String = try row["name"]
        try db.run("DELETE FROM invitation WHERE id = ?", [id.blob])
        try AuditTrail(db).append(
            AuditEvent(
                .stationInvitationCancelled, by: `operator`, at: time,
                details: ["invitation": id.description, "name": name]
            )
        )
    }

    /// Exchanges a code for a station. The attempt that used a code may be repeated until the station uses its token.
    ///
    /// - Throws: `codeUnusable`.
    package func enrol(_ enrolment: Enrolment) throws -> Station {
        let sql = "SELECT * FROM invitation WHERE code = ? AND expires > ?"
        guard let invitation = try db.row(sql, [enrolment.code.blob, enrolment.time.milliseconds]) else {
            throw DomainError.codeUnusable
        }
        if let key: Int64 = try invitation["station"] {
            return try repeatEnrolment(enrolment, invitation, of: key)
        }
        return try enrol(enrolment, by: invitation)
    }

    /// Revokes a station’s token and displays, and quarantines its sightings.
    ///
    /// - Parameters:
    ///   - quarantine: sightings last heard at this time or later are not trusted; nil changes nothing.
    ///   - operator: who revokes it; nil for a restored revocation.
    /// - Throws: `notFound`.
    package func revokeStation(
        _ id: StationID, quarantineSince quarantine: Timestamp?, by operator: Principal?, at time: Timestamp
    ) throws -> Station {
        let key = try Stations(db).key(of: id)
        try db.run("DELETE FROM token WHERE station = ?", [key])
        try db.run("DELETE FROM display WHERE station = ?", [key])
        try db.run(
            "UPDATE station SET revoked = ?, version = version + 1 WHERE key = ? AND revoked IS NULL",
            [time.milliseconds, key]
        )
        var isNew = db.changesCount == 1
        if let quarantine { isNew = try setQuarantine(of: key, since: quarantine, at: time) || isNew }
        if isNew {
            let details = quarantine.map { ["quarantineSince": "\($0)"] } ?? [:]
            try AuditTrail(db).append(
                AuditEvent(.stationRevoked, by: `operator`, at: time, station: id, details: details))
        }
        guard let station = try Stations(db).find(id)?.station else { throw DomainError.notFound("station") }
        return station
    }

    /// Gives an invitation that has not been accepted a new code and a new expiry.
    private func renew(_ id: Data, with renewal: NewInvitation) throws -> InvitationID {
        try db.run(
            "UPDATE invitation SET code = ?, expires = ? WHERE id = ? AND station IS NULL",
            [renewal.code.blob, renewal.expires.milliseconds, id]
        )
        let isRenewed = db.changesCount == 1
        guard let known = InvitationID(blob: id) else { throw CorruptRow(column: "resource") }
        if isRenewed { return known }
        // A repeated request does not restore a cancelled invitation.
        guard try db.row("SELECT key FROM invitation WHERE id = ?", [id]) != nil else {
            throw DomainError.notFound("invitation")
        }
        throw DomainError.invitationAccepted(known)
    }

    /// Enrols the station of an invitation that has not been accepted.
    private func enrol(_ enrolment: Enrolment, by invitation: StoredRow) throws -> Station {
        guard let place = try invitation.place() else { throw CorruptRow(column: "latitude") }
        let station = Station(
            id: enrolment.station, name: try invitation["name"], venue: try invitation["venue"],
            mobile: try invitation["mobile"], place: place, enrolled: enrolment.time
        )
        let key = try Stations(db).insert(station)
        try Stations(db).insert(place, of: key, since: 0)
        try insert(enrolment.token, ofStation: key, at: enrolment.time)
        try db.run(
            "UPDATE invitation SET station = ?, attempt = ? WHERE key = ?",
            [key, enrolment.attempt?.blob, try invitation["key"] as Int64]
        )
        try recordEnrolment(enrolment, invitation, station: station.id, place: place)
        return station
    }

    /// Repeats an enrolment whose response was lost: the first token becomes invalid. It is refused once the station
    /// has used its token: then this is an earlier attempt that was delayed, and its token is not needed.
    private func repeatEnrolment(_ enrolment: Enrolment, _ invitation: StoredRow, of key: Int64) throws -> Station {
        let use = """
            SELECT 1 FROM station_heartbeat WHERE station = ?1 UNION ALL SELECT 1 FROM station_hour WHERE station = ?1
            """
        guard let attempt = enrolment.attempt, (try invitation["attempt"] as Data?) == attempt.blob,
            try !db.exists(use, [key]),
            let row = try db.row("SELECT id FROM station WHERE key = ? AND revoked IS NULL", [key]),
            let station = try Stations(db).find(try row.id("id"))?.station
        else { throw DomainError.codeUnusable }
        try db.run("DELETE FROM token WHERE station = ?", [key])
        try insert(enrolment.token, ofStation: key, at: enrolment.time)
        try recordEnrolment(enrolment, invitation, station: station.id, place: nil)
        return station
    }

    /// - Parameter place: the place where the station was surveyed; nil if an entry already records it.
    private func recordEnrolment(
        _ enrolment: Enrolment, _ invitation: StoredRow, station: StationID, place: Place?
    ) throws {
        let invitation: InvitationID = try invitation.id("id")
        let details = ["invitation": invitation.description].merging(place?.auditDetails ?? [:]) { $1 }
        try AuditTrail(db).append(
            AuditEvent(
                .stationEnrolled, by: nil, at: enrolment.time, station: station,
                details: details
            )
        )
    }

    /// Stores the token of a station, by the station’s key.
    private func insert(_ token: SecretDigest, ofStation key: Int64, at time: Timestamp) throws {
        try db.run(
            "INSERT INTO token (digest, station, created) VALUES (?, ?, ?)", [token.blob, key, time.milliseconds]
        )
    }

    /// Puts the reports of a station since a time under quarantine; returns whether any of them were trusted until now.
    private func setQuarantine(of station: Int64, since: Timestamp, at time: Timestamp) throws -> Bool {
        try db.run(
            "UPDATE station SET quarantined_since = ?1 WHERE key = ?2 AND coalesce(quarantined_since > ?1, TRUE)",
            [since.milliseconds, station]
        )
        guard db.changesCount == 1 else { return false }
        try StationJudgements(db).begin(station, since: since.milliseconds, at: time)
        return true
    }
}

extension PendingInvitation {
    fileprivate init(_ row: StoredRow) throws {
        guard let place = try row.place() else { throw CorruptRow(column: "latitude") }
        self.init(
            id: try row.id("id"), name: try row["name"], venue: try row["venue"], mobile: try row["mobile"],
            place: place,
            created: try row.timestamp("created"), expires: try row.timestamp("expires")
        )
    }
}
