import Foundation
package import RegistryAPI
package import RegistryRules

/// Acknowledgements of sightings: what follows when somebody has read of one.
package struct Acknowledgements {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Acknowledges a sighting for a caller who sees its report. Acknowledging again changes nothing.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    package func acknowledgeSighting(
        _ id: VisitID, of report: ReportPath, at time: Timestamp
    ) throws -> Sighting {
        let (access, reportKey) = try Reports(db).access(to: report, needing: .report)
        let sql = "SELECT key FROM sighting WHERE report = ? AND visit = ?"
        // Two stations may use the same identifier. Then both sightings are acknowledged, since the owner cannot
        // distinguish them.
        let keys: [Int64] = try db.rows(sql, [reportKey, id.blob]).map { try $0["key"] }
        guard let first = keys.first else { throw DomainError.notFound("sighting") }
        try acknowledge(keys, at: time, by: .owner(report.owner), reader: access.caller)
        guard let row = try db.row(Sighting.query + "WHERE sighting.key = ?", [first]) else {
            throw DomainError.notFound("sighting")
        }
        return try Sightings(db).current(of: report.id, reportKey)(row)
    }

    /// The data that a link to an alert of sightings is checked with; nil if there is no such alert.
    package func linkedAlert(_ id: AlertID) throws -> LinkedAlert? {
        let sql = """
            SELECT alert.created, channel.secret, owner.language
            FROM alert JOIN channel ON channel.key = alert.channel JOIN owner ON owner.key = channel.owner
            WHERE alert.id = ? AND alert.notice IS NULL AND channel.removed IS NULL
            """
        return try db.row(sql, [id.blob]).map { row in
            LinkedAlert(
                created: try row.timestamp("created"),
                secret: SigningSecret(bytes: [UInt8](try row["secret"] as Data)),
                language: try row.choice("language")
            )
        }
    }

    /// Acknowledges all sightings of an alert for the owner of its channel.
    ///
    /// - Returns: their report; nil if there is no such alert.
    package func acknowledgeAlert(_ id: AlertID, at time: Timestamp) throws -> ReportID? {
        let sql = """
            SELECT sighting FROM alert WHERE id = ?1 AND sighting IS NOT NULL
            UNION SELECT sighting FROM alert WHERE digest = (SELECT key FROM alert WHERE id = ?1)
            """
        let keys: [Int64] = try db.rows(sql, [id.blob]).map { try $0["sighting"] }.sorted()
        guard let first = keys.first,
            let reader = try db.integer(
                "SELECT owner FROM channel WHERE key = (SELECT channel FROM alert WHERE id = ?)", [id.blob])
        else { return nil }
        try acknowledge(keys, at: time, by: nil, reader: reader)
        let report =
            "SELECT report.id FROM sighting JOIN report ON report.key = sighting.report WHERE sighting.key = ?"
        return try db.row(report, [first])?.id("id")
    }

    /// Acknowledges those of the sightings that the reader may see.
    ///
    /// - Parameters:
    ///   - sightings: their keys.
    ///   - principal: the caller; nil for anyone who follows an alert's link.
    ///   - reader: the key of the owner who has read them: the bike's own, or a member.
    private func acknowledge(
        _ sightings: [Int64], at time: Timestamp, by principal: Principal?, reader: Int64
    ) throws {
        for key in sightings {
            guard let row = try db.row(Self.sighting, [reader, key]) else { continue }
            let report: Int64 = try row["report"]
            try cancelWaitingAlerts(of: report, to: reader, coveredBy: try AlertRules.AlertedSighting(row))
            // A member who only sees the bike may silence their own channels, but changes nothing for others.
            let role = try row.hasNonNull("role") ? row.bikeRole() : .owner
            guard role >= .report, !row.hasNonNull("acknowledged") else { continue }
            try db.run(
                "UPDATE sighting SET acknowledged = ?, revision = \(SightingJudgement.nextRevision) WHERE key = ?",
                [time.milliseconds, report, key]
            )
            let (visit, reportID): (VisitID, ReportID) = try (row.id("visit"), row.id("report_id"))
            db.news.trails.insert(reportID)
            try AuditTrail(db).append(
                AuditEvent(
                    .sightingAcknowledged, by: principal, at: time, owner: try row.id("owner_id"),
                    bike: try row.id("bike_id"), report: reportID,
                    details: ["sighting": visit.description]
                )
            )
        }
    }

    /// A sighting, if its reader is the bike's owner or a member.
    private static let sighting = """
        SELECT sighting.visit, sighting.report, sighting.acknowledged, bike.id AS bike_id, report.id AS report_id,
            owner.id AS owner_id, member.role, \(AlertRules.AlertedSighting.columns)
        FROM sighting JOIN report ON report.key = sighting.report JOIN bike ON bike.key = report.bike
        JOIN owner ON owner.key = bike.owner
        LEFT JOIN bike_member AS member ON member.bike = bike.key AND member.owner = ?1
        WHERE sighting.key = ?2 AND (bike.owner = ?1 OR member.role IS NOT NULL)
        """

    /// Cancels alerts that channels of the reader hold back until a sighting has gone too long without acknowledgement,
    /// alone or in a digest, if another of the reader's channels has delivered an alert about the same. The channels of
    /// other people are not affected.
    ///
    /// - Parameters:
    ///   - reader: the key of an owner.
    ///   - acknowledged: the sighting that was read; alerts about sightings that it does not cover stay.
    private func cancelWaitingAlerts(
        of report: Int64, to reader: Int64, coveredBy acknowledged: AlertRules.AlertedSighting
    ) throws {
        let waiting = """
            SELECT alert.key AS alert, \(AlertRules.AlertedSighting.columns)
            FROM channel JOIN alert ON alert.channel = channel.key JOIN sighting ON sighting.key = alert.sighting
            WHERE channel.owner = ? AND channel.after IS NOT NULL AND sighting.report = ? AND alert.attempts = 0
                AND (alert.due IS NOT NULL OR alert.digest IS NOT NULL AND alert.told IS NULL)
                -- Otherwise anyone with the token could hide sightings that nobody was alerted to.
                AND EXISTS (
                    SELECT 1 FROM alert AS sent JOIN channel AS other ON other.key = sent.channel
                    WHERE sent.thread = alert.thread AND sent.delivered IS NOT NULL AND other.owner = channel.owner
                )
            """
        for row in try db.rows(waiting, [reader, report]) where acknowledged.covers(try AlertRules.AlertedSighting(row))
        {
            try db.run(
                "UPDATE alert SET due = NULL, digest = NULL, last_error = 'somebody has read of it' WHERE key = ?",
                [try row["alert"] as Int64]
            )
        }
    }
}

extension AlertRules.AlertedSighting {
    fileprivate static let columns = """
        coalesce(sighting.thread, sighting.key) AS heard_thread, sighting.first_seen, sighting.received, \
        sighting.time_uncertain
        """

    /// Reads a row of ``columns``.
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            thread: try row["heard_thread"], firstSeen: try row.timestamp("first_seen"),
            received: try row.timestamp("received"),
            timeUncertain: try row["time_uncertain"]
        )
    }
}
