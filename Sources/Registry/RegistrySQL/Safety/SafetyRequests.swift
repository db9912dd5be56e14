package import Beacons
package import RegistryAPI
package import RegistryRules

/// Requests of people who feel followed. Nothing that they see depends on whether a bike has the beacon.
package struct SafetyRequests {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Whether this registry has ever issued or accepted an identity, whatever happened to it since. Identities that a
    /// rotating beacon sends do not count: only those of missing bikes are stored, so an answer about them would reveal
    /// to a thief which bikes are missing.
    package func isIssued(_ beacon: BeaconIdentity) throws -> Bool {
        try db.exists("SELECT 1 FROM identity WHERE beacon = ?", [beacon.blob])
    }

    /// Stores a request. If there is one with this secret and the same contents, nothing happens.
    ///
    /// - Returns: false if another request has the secret.
    /// - Throws: `message(.tooManyConversations)`.
    package func add(_ new: NewSafetyRequest) throws -> Bool {
        if let earlier = try find(new.secret) { return earlier.text == new.text && earlier.beacon == new.beacon }
        let day = new.time.advanced(by: .days(-1)).milliseconds
        let issued = try new.beacon.flatMap { try isIssued($0) ? $0 : nil }
        // An attacker in the victim's own home network can send more requests, but only by naming the beacon that the
        // victim has found.
        var arguments: Parameters = [new.network.subscriber, day]
        if let issued { arguments.append(issued.blob) }
        let today = try db.integer(
            """
            SELECT count(*) FROM safety_request WHERE subscriber = ? AND received > ?
                AND \(issued == nil ? "NOT \(Self.isAboutIssued)" : "beacon = ?")
            """, arguments)
        guard today ?? 0 < SafetyRules.perNetwork else { throw DomainError.message(.tooManyConversations) }
        let key = try db.insert(
            """
            INSERT INTO safety_request (id, digest, beacon, text, subscriber, area, received)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                new.id.blob, new.secret.blob, new.beacon?.blob, new.text, new.network.subscriber, new.network.area,
                new.time.milliseconds,
            ])
        try thinOut(aboutIssued: issued != nil)
        // If this request was the one to be deleted, its writer must not read that it was sent.
        guard try db.exists("SELECT 1 FROM safety_request WHERE key = ?", [key]) else {
            throw DomainError.message(.tooManyConversations)
        }
        return true
    }

    /// Whether a request is about a beacon that this registry has issued.
    private static let isAboutIssued =
        "EXISTS (SELECT 1 FROM identity WHERE identity.beacon = safety_request.beacon)"

    /// If there are too many open requests of a kind, deletes one: a flood thins itself out.
    ///
    /// Requests about beacons of this registry are counted apart: otherwise a flood from many networks would keep out
    /// everybody. Of these, the beacon with the most loses its newest. Of the others, the wider network with the most
    /// loses the newest request of its subscriber with the most.
    private func thinOut(aboutIssued: Bool) throws {
        let ofKind = "closed IS NULL AND \(aboutIssued ? "" : "NOT ")\(Self.isAboutIssued)"
        let count = try db.integer("SELECT count(*) FROM safety_request WHERE \(ofKind)", [])
        guard count ?? 0 > SafetyRules.mostOpen else { return }
        let newest: String
        if aboutIssued {
            newest = """
                SELECT max(key) FROM safety_request WHERE \(ofKind) GROUP BY beacon ORDER BY count(*) DESC, max(key) DESC LIMIT 1
                """
        } else {
            newest = """
                SELECT max(key) FROM safety_request WHERE \(ofKind) AND area = (
                    SELECT area FROM safety_request WHERE \(ofKind)
                    GROUP BY area ORDER BY count(*) DESC, max(key) DESC LIMIT 1
                ) GROUP BY subscriber ORDER BY count(*) DESC, max(key) DESC LIMIT 1
                """
        }
        try db.run("DELETE FROM safety_request WHERE key = (\(newest))", [])
    }

    /// A request as its writer sees it: without the registry's data about the beacon.
    package func find(_ secret: SecretDigest) throws -> SafetyRequest? {
        try db.row("SELECT * FROM safety_request WHERE digest = ?", [secret.blob]).map(SafetyRequest.init)
    }

    /// The open requests, the earliest first.
    package func page(_ page: PageRequest<SafetyRequestID>) throws -> StoredPage<SafetyRequest, SafetyRequestID> {
        let after = page.after ?? SafetyRequestID(high: 0, low: 0)
        let sql = "SELECT * FROM safety_request WHERE closed IS NULL AND id > ? ORDER BY id LIMIT ?"
        return try db.rows(sql, [after.blob, page.limit + 1]).map(full).page(limit: page.limit, cursor: \.id)
    }

    /// Closes a request. The entry of the audit names no owner, because owners read the entries about their own data.
    ///
    /// - Returns: the request; one that is closed stays as it is.
    package func close(_ id: SafetyRequestID, answer: String?, by act: OperatorAct) throws -> SafetyRequest {
        try db.run(
            "UPDATE safety_request SET closed = ?, answer = ? WHERE id = ? AND closed IS NULL",
            [act.time.milliseconds, answer, id.blob])
        if db.changesCount == 1 {
            var event = act.event(.safetyRequestClosed)
            event.details["request"] = "\(id)"
            try AuditTrail(db).append(event)
        }
        guard let row = try db.row("SELECT * FROM safety_request WHERE id = ?", [id.blob]) else {
            throw DomainError.notFound("request")
        }
        return try full(row)
    }

    /// Deletes requests that were open or closed for too long.
    func deleteOld(at time: Timestamp) throws {
        let open = time.advanced(by: .zero - SafetyRules.openFor).milliseconds
        try db.run("DELETE FROM safety_request WHERE closed IS NULL AND received <= ?", [open])
        let closed = time.advanced(by: .zero - SafetyRules.kept).milliseconds
        try db.run("DELETE FROM safety_request WHERE closed <= ?", [closed])
    }

    /// A request with the registry's data about its beacon, for operators.
    private func full(_ row: StoredRow) throws -> SafetyRequest {
        var request = try SafetyRequest(row)
        guard let beacon = request.beacon else { return request }
        let known = try db.row(
            """
            SELECT identity.stopped, owner.id AS owner_id FROM identity
            LEFT JOIN bike ON bike.beacon = identity.beacon LEFT JOIN owner ON owner.key = bike.owner
            WHERE identity.beacon = ?
            """, [try RotatingBeacons(db).name(of: beacon).blob])
        guard let known else { return request }
        request.stopped = try known.optionalTimestamp("stopped")
        if known.hasNonNull("owner_id") { request.owner = try known.id("owner_id") }
        return request
    }
}

extension SafetyRequest {
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            id: try row.id("id"), received: try row.timestamp("received"),
            beacon: row.hasNonNull("beacon") ? try row.identity("beacon") : nil, text: try row["text"],
            closed: try row.optionalTimestamp("closed"), answer: try row["answer"])
    }
}
