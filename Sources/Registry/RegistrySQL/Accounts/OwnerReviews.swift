import Beacons
import Foundation
package import RegistryAPI
package import RegistryRules

/// Owners as operators see them, and the operators’ decisions about them. The parameter `quotas` is the registry’s
/// quotas, which the review shows. All that take an owner throw `notFound` if the account is erased.
package struct OwnerReviews {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// All owners, with those who have the most unconfirmed reports first.
    package func page(_ page: PageRequest<OwnerCursor>) throws -> StoredPage<OwnerSummary, OwnerCursor> {
        let after = page.after ?? OwnerCursor(unconfirmed: .max, owner: OwnerID(high: .max, low: .max))
        let sql = ownerSummaryQuery + "WHERE (unconfirmed, id) < (?, ?) ORDER BY unconfirmed DESC, id DESC LIMIT ?"
        return try db.rows(sql, [after.unconfirmed, after.owner.blob, page.limit + 1])
            .map(OwnerSummary.init)
            .page(limit: page.limit) { OwnerCursor(unconfirmed: Int64($0.unconfirmed), owner: $0.id) }
    }

    /// Takes all of an owner’s bikes off the missing list, ends the tests of their beacons, and notifies the owner.
    /// Suspending again changes nothing.
    ///
    /// - Parameter reason: the operator’s reason, for the owner; nil if none was given.
    package func suspend(_ owner: OwnerID, reason: String?, by act: OperatorAct, _ quotas: Quotas) throws -> OwnerReview
    {
        let key = try Owners(db).key(of: owner)
        try db.run(
            "UPDATE owner SET suspended = ? WHERE key = ? AND suspended IS NULL", [act.time.milliseconds, key])
        if db.changesCount == 1 {
            for report in try Reports(db).openReports(ofOwner: key) { try Searches(db).renew(of: report, at: act.time) }
            try BeaconTests(db).endAll(ofOwner: key)
            try Notices(db).tell(OwnerNotice(.ownerSuspended, subject: reason), toOwner: key, act)
            try AuditTrail(db).append(act.event(.ownerSuspended, owner: owner, reason: reason))
        }
        return try review(of: owner, quotas)
    }

    /// Lets the searches for a suspended owner’s bikes continue, and notifies the owner.
    package func resume(_ owner: OwnerID, by act: OperatorAct, _ quotas: Quotas) throws -> OwnerReview {
        let key = try Owners(db).key(of: owner)
        try db.run("UPDATE owner SET suspended = NULL WHERE key = ? AND suspended IS NOT NULL", [key])
        if db.changesCount == 1 {
            for report in try Reports(db).openReports(ofOwner: key) { try Searches(db).renew(of: report, at: act.time) }
            try Notices(db).tell(OwnerNotice(.ownerResumed), toOwner: key, act)
            try AuditTrail(db).append(act.event(.ownerResumed, owner: owner))
        }
        return try review(of: owner, quotas)
    }

    /// Notes that an operator has verified the owner: the beacons of open searches no longer count as new.
    package func verify(_ owner: OwnerID, by act: OperatorAct, _ quotas: Quotas) throws -> OwnerReview {
        let key = try Owners(db).key(of: owner)
        try db.run("UPDATE owner SET known = ? WHERE key = ? AND known IS NULL", [act.time.milliseconds, key])
        if db.changesCount == 1 {
            for report in try Reports(db).openReports(ofOwner: key) {
                try Searches(db).count(of: report, at: act.time)
                try db.run("UPDATE report SET new_beacon = 0 WHERE id = ?", [report.blob])
                try Searches(db).renew(of: report, at: act.time)
            }
            try Notices(db).tell(OwnerNotice(.ownerVerified), toOwner: key, act)
            try AuditTrail(db).append(act.event(.ownerVerified, owner: owner))
        }
        return try review(of: owner, quotas)
    }

    /// Takes back ``verify(_:by:_:)``. Open searches continue unchanged.
    package func unverify(_ owner: OwnerID, by act: OperatorAct, _ quotas: Quotas) throws -> OwnerReview {
        let key = try Owners(db).key(of: owner)
        try db.run("UPDATE owner SET known = NULL WHERE key = ? AND known IS NOT NULL", [key])
        if db.changesCount == 1 {
            try Notices(db).tell(OwnerNotice(.ownerUnverified), toOwner: key, act)
            try AuditTrail(db).append(act.event(.ownerUnverified, owner: owner))
        }
        return try review(of: owner, quotas)
    }

    /// Replaces the quotas that operators have set for an owner.
    package func setQuotas(
        of owner: OwnerID, _ exceptions: QuotaExceptions, by act: OperatorAct, _ quotas: Quotas
    ) throws -> OwnerReview {
        let key = try Owners(db).key(of: owner)
        try db.run("DELETE FROM owner_quota WHERE owner = ?", [key])
        var event = act.event(.quotasChanged, owner: owner)
        for quota in Quota.allCases {
            guard let most = exceptions[quota] else { continue }
            try db.run(
                "INSERT INTO owner_quota (owner, quota, most) VALUES (?, ?, ?)", [key, quota.rawValue, most])
            event.details[quota.rawValue] = "\(most)"
        }
        try AuditTrail(db).append(event)
        return try review(of: owner, quotas)
    }

    /// An owner with quotas, exceptions and latest reports.
    package func review(of owner: OwnerID, _ settings: Quotas) throws -> OwnerReview {
        guard let row = try db.row(ownerSummaryQuery + "WHERE id = ?", [owner.blob]) else {
            throw DomainError.notFound("owner")
        }
        let key: Int64 = try row["key"]
        let bikes = try db.integer("SELECT count(*) FROM bike WHERE owner = ? AND beacon IS NOT NULL", [key]) ?? 0
        let limits = OwnerLimits(db)
        let exceptions = try limits.exceptions(of: key)
        return OwnerReview(
            owner: try OwnerSummary(row), bikes: Int(clamping: bikes), quotas: try limits.quotas(of: key, settings),
            exceptions: exceptions == QuotaExceptions() ? nil : exceptions,
            reports: try reportReviews(ofOwner: key)
        )
    }

    /// The latest 10 reports of each of an owner’s newest 200 bikes, the report that was opened last first.
    private func reportReviews(ofOwner owner: Int64) throws -> [ReportReview] {
        let sql = """
            SELECT bike.beacon, stopped, rotating, report.*
            FROM (SELECT key, beacon FROM bike WHERE owner = ? ORDER BY id DESC LIMIT 200) AS bike
            JOIN report ON report.bike = bike.key AND report.id >= coalesce((
                SELECT tenth.id FROM report AS tenth WHERE tenth.bike = bike.key ORDER BY tenth.id DESC LIMIT 1 OFFSET 9
            ), ?)
            LEFT JOIN identity ON identity.beacon = bike.beacon
            """
        let first = ReportID(high: 0, low: 0)
        return try db.rows(sql, [owner, first]).map(ReportReview.init).sorted { $0.opened > $1.opened }
    }
}

extension OperatorAct {
    /// The audit’s event about this act.
    func event(
        _ action: AuditAction, owner: OwnerID? = nil, bike: BikeID? = nil, report: ReportID? = nil,
        reason: String? = nil
    ) -> AuditEvent {
        AuditEvent(
            action, by: principal, at: time, owner: owner, bike: bike, report: report,
            details: reason.map { ["reason": $0] } ?? [:]
        )
    }
}

/// An owner and its last activity.
private let ownerSummaryQuery = """
    SELECT key, id, created, suspended, known, reports, unconfirmed,
        (SELECT max(last_used) FROM token WHERE owner = owner.key) AS last_active
    FROM owner

    """

extension OwnerSummary {
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            id: try row.id("id"), created: try row.timestamp("created"),
            lastActive: try row.optionalTimestamp("last_active"),
            suspended: try row.optionalTimestamp("suspended"), verified: try row.optionalTimestamp("known"),
            reports: Int(clamping: try row["reports"] as Int64),
            unconfirmed: Int(clamping: try row["unconfirmed"] as Int64)
        )
    }
}

extension ReportReview {
    /// Reports with their bikes’ beacons and owners, as operators see them.
    static let query = """
        SELECT report.*, bike.beacon, bike.owner, identity.stopped, identity.rotating, owner.id AS owner_id FROM report
        JOIN bike ON bike.key = report.bike JOIN owner ON owner.key = bike.owner
        LEFT JOIN identity ON identity.beacon = bike.beacon

        """

    /// Reads a row with the columns of a report, its bike’s `beacon`, and the beacon’s `stopped` and `rotating`.
    init(_ row: StoredRow) throws {
        self.init(
            id: try row.id("id"), beacon: row.hasNonNull("beacon") ? try row.identity("beacon") : nil,
            rotating: try row.isRotating, opened: try row.timestamp("opened"),
            closed: try row.optionalTimestamp("closed"),
            policeReference: try row["police_reference"], policeForce: try row["police_force"],
            confirmed: try row.optionalTimestamp("confirmed"),
            sightingsUntil: try row.optionalTimestamp("sightings_until"),
            stopped: try row.optionalTimestamp("stopped")
        )
    }
}
