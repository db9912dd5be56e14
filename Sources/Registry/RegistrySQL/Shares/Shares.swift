import Foundation
package import RegistryAPI
package import RegistryRules

/// Links to searches, as their owners make and revoke them.
package struct Shares {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Shares with their reports, which have the table's name as prefix.
    private static let query =
        "SELECT share.*, report.id AS report_id FROM share JOIN report ON report.key = share.report "

    /// Adds a share of the bike’s open report, and notifies the owner. A repeated call gives the first call’s share
    /// this secret.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `bikeNotMissing`, `ownerSuspended`, `sharesFull`, `tooManyToday`,
    ///   `shareInUse`, `idempotencyKeyReused`; `unauthenticated` if the token was revoked in the meantime.
    package func add(
        _ share: NewShare, on bike: BikeID, by act: OwnerAct, once: IdempotencyKey?, _ quotas: Quotas
    ) throws -> Share {
        let bikeKey = try Bikes(db).access(to: bike, by: act.owner, needing: .owner).key
        if let earlier = try IdempotencyKeys(db).resource(of: once) {
            return try renew(earlier, share.digest, on: bikeKey)
        }
        guard let report = try db.row("SELECT key, id FROM report WHERE bike = ? AND closed IS NULL", [bikeKey]) else {
            throw DomainError.bikeNotMissing
        }
        let owner = try Owners(db).key(of: act.owner)
        try Owners(db).refuseSuspended(owner)
        try requireRoom(for: try report["key"], at: act.time)
        try OwnerLimits(db).noteUse(.shares, by: owner, quotas, at: act.time)
        try insert(share, of: try report["key"])
        try record(.shareCreated, share.id, on: bike, report: try report.id("id"), by: act)
        try Notices(db).tell(
            .makeShare, to: owner, bike: try Bikes(db).existing(bikeKey).summary, subject: share.label, by: act)
        try IdempotencyKeys(db).remember(once, resource: share.id.blob)
        return Share(
            id: share.id, report: try report.id("id"), label: share.label, created: share.created, ends: share.ends)
    }

    /// A bike’s shares that are not deleted, in the order of their creation.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    package func page(
        on bike: BikeID, of owner: OwnerID, _ page: PageRequest<ShareID>
    ) throws -> StoredPage<Share, ShareID> {
        let bikeKey = try Bikes(db).access(to: bike, by: owner, needing: .owner).key
        let after = page.after ?? ShareID(high: 0, low: 0)
        let sql = Self.query + "WHERE report.bike = ? AND share.id > ? ORDER BY share.id LIMIT ?"
        return try db.rows(sql, [bikeKey, after.blob, page.limit + 1])
            .map(Share.init)
            .page(limit: page.limit, cursor: \.id)
    }

    /// Deletes a share, and notifies the owner.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    package func revoke(_ id: ShareID, on bike: BikeID, by act: OwnerAct) throws {
        let bikeKey = try Bikes(db).access(to: bike, by: act.owner, needing: .owner).key
        guard let row = try db.row(Self.query + "WHERE share.id = ? AND report.bike = ?", [id.blob, bikeKey]) else {
            throw DomainError.notFound("share")
        }
        let share = try Share(row)
        try db.run("DELETE FROM share WHERE key = ?", [try row["key"] as Int64])
        try record(.shareRevoked, id, on: bike, report: share.report, by: act)
        try Notices(db).tell(
            .revokeShare, to: try Owners(db).key(of: act.owner), bike: try Bikes(db).existing(bikeKey).summary,
            subject: share.label, by: act)
    }

    /// The shares of a report, by the report’s key, for its owner’s export.
    func all(of report: Int64) throws -> [Share] {
        try db.rows(Self.query + "WHERE share.report = ? ORDER BY share.id", [report]).map(Share.init)
    }

    /// Adds to the number of times that a share was opened; nothing happens if it no longer exists.
    package func noteViews(_ count: Int, of share: ShareID, at time: Timestamp) throws {
        try db.run(
            """
            UPDATE share SET views = views + ?1,
                last_viewed = CASE WHEN last_viewed > ?2 THEN last_viewed ELSE ?2 END
            WHERE id = ?3
            """,
            [count, time.milliseconds, share.blob])
    }

    /// Deletes shares that ended long ago. Restoring a backup does not bring them back, so they need no entry in the
    /// journal of revocations, whose trigger skips those that ended at zero.
    func deleteEnded(at time: Timestamp) throws {
        let end = time.advanced(by: .zero - ShareRules.kept)
        try db.run("UPDATE share SET ends = 0 WHERE ends <= ?", [end.milliseconds])
        try db.run("DELETE FROM share WHERE ends = 0", [])
    }

    /// Replaces the secret of a share that has not been opened yet.
    ///
    /// - Throws: `notFound`, `shareInUse`.
    private func renew(_ id: Data, _ digest: SecretDigest, on bike: Int64) throws -> Share {
        guard let row = try db.row(Self.query + "WHERE share.id = ? AND report.bike = ?", [id, bike]) else {
            throw DomainError.notFound("share")
        }
        let share = try Share(row)
        guard share.views == 0 else { throw DomainError.shareInUse(share.id) }
        try db.run("UPDATE share SET digest = ? WHERE id = ?", [digest.blob, id])
        return share
    }

    /// Refuses one more share of a report.
    ///
    /// - Throws: `sharesFull`.
    private func requireRoom(for report: Int64, at time: Timestamp) throws {
        let sql = "SELECT count(*) FROM share WHERE report = ? AND ends > ?"
        let count = try db.integer(sql, [report, time.milliseconds]) ?? 0
        guard count < ShareRules.most else { throw DomainError.sharesFull }
    }

    /// Stores a share.
    ///
    /// - Throws: `unauthenticated` if the token that made it is revoked.
    private func insert(_ share: NewShare, of report: Int64) throws {
        if let token = share.token, try !db.exists("SELECT 1 FROM token WHERE id = ?", [token.blob]) {
            throw DomainError.unauthenticated
        }
        try db.run(
            "INSERT INTO share (id, report, token, digest, label, created, ends) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                share.id.blob, report, share.token?.blob, share.digest.blob, share.label, share.created.milliseconds,
                share.ends.milliseconds,
            ]
        )
    }

    /// Adds an act about a share to the audit.
    private func record(
        _ action: AuditAction, _ share: ShareID, on bike: BikeID, report: ReportID, by act: OwnerAct
    ) throws {
        try AuditTrail(db).append(
            AuditEvent(
                action, by: act.principal, at: act.time, owner: act.owner, bike: bike, report: report,
                details: ["share": "\(share)"]))
    }
}

extension Share {
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            id: try row.id("id"), report: try row.id("report_id"), label: try row["label"],
            created: try row.timestamp("created"), ends: try row.timestamp("ends"),
            views: Int(clamping: try row["views"] as Int64), lastViewed: try row.optionalTimestamp("last_viewed"))
    }
}
