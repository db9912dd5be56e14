import Foundation
import RegistryAPI
import RegistryRules

/// The contents of claimed alerts.
struct AlertContents {
    let db: any Transaction

    /// Counts an attempt and locks the alert until the lease ends; nil if there is nothing left to send.
    func lease(_ key: Int64, at now: Timestamp, leaseUntil lease: Timestamp) throws -> ClaimedAlert? {
        try db.run(
            """
            UPDATE alert SET due = ?, claimed = ?, attempts = attempts + 1,
                told = (SELECT reasons FROM sighting WHERE sighting.key = alert.sighting)
            WHERE key = ?
            """,
            [lease.milliseconds, now.milliseconds, key]
        )
        guard let row = try db.row(claimedAlert, [key]) else { return nil }
        guard let content = try content(key, row, at: now) else {
            try db.run(
                "UPDATE alert SET due = NULL, told = NULL, last_error = 'nothing was left to tell' WHERE key = ?", [key]
            )
            return nil
        }
        return ClaimedAlert(
            id: try row.id("alert_id"), owner: try row.id("owner_id"), attempt: try row["attempts"],
            created: try row.timestamp("alert_created"),
            channel: ClaimedAlert.Target(
                id: try row.id("channel_id"), kind: try row.choice("channel_kind"), address: try row["url"],
                secret: SigningSecret(bytes: [UInt8](try row["secret"] as Data)), coordinates: try row["coordinates"],
                settings: try row.channelSettings()
            ),
            content: content, isUrgent: try row["urgent"] && !content.isLate,
            reader: AlertReader(language: try row.choice("language"), zone: LocalZone(try row["zone"]))
        )
    }

    /// What an alert tells; nil if there is nothing left to tell.
    ///
    /// - Parameter row: a row of `claimedAlert`.
    private func content(_ key: Int64, _ row: StoredRow, at now: Timestamp) throws -> ClaimedAlert.Content? {
        if let notice: Data = try row["notice"] {
            return .notice(try JSONDecoder().decode(OwnerNotice.self, from: notice))
        }
        guard try row["may_read"] else { return nil }
        guard let sighting: Int64 = try row["sighting"] else { return try digest(key, at: now) }
        guard let alerted = try db.row(alertedSighting + "WHERE sighting.key = ?", [sighting]) else {
            throw CorruptRow(column: "sighting")
        }
        let current = try self.sighting(alerted)
        let told = SightingReason.bits(Set(current.reasons))
        // What the message says is not stored yet.
        if try alerted["judged_again"] { try db.run("UPDATE alert SET told = ? WHERE key = ?", [told, key]) }
        guard try !isToldAlready(key, row, told) else { return nil }
        // If the owner was alerted to the sighting, announce that it is now disputed; otherwise send nothing.
        let news: String = try row["news"]
        if try alerted.isQuarantined, news != SightingLevel.disputed.rawValue { return nil }
        let first: VisitID? = row.hasNonNull("first_visit") ? try row.id("first_visit") : nil
        return .sighting(try sightingContent(alerted, current, first: first, isUpdate: row["news"] != "", at: now))
    }

    /// The content of an alert about one sighting.
    ///
    /// - Parameters:
    ///   - row: a row of `alertedSighting`.
    ///   - sighting: the sighting in the row.
    ///   - first: the visit of the first sighting that the alert’s thread announced; nil if it is deleted.
    private func sightingContent(
        _ row: StoredRow, _ sighting: Sighting, first: VisitID?, isUpdate: Bool = false, at now: Timestamp
    ) throws -> ClaimedAlert.SightingContent {
        ClaimedAlert.SightingContent(
            bike: try row.bikeSummary(), policeReference: try row["police_reference"],
            sighting: sighting, first: first, isUpdate: isUpdate,
            isLate: SightingRules.isLate(lastSeen: try row.timestamp("last_seen"), received: now)
        )
    }

    /// Whether another alert has meanwhile sent this update to the channel.
    private func isToldAlready(_ key: Int64, _ row: StoredRow, _ bits: Int64) throws -> Bool {
        guard try row["news"] != "" else { return false }
        let sql = "SELECT told FROM alert WHERE thread = ? AND channel = ? AND key <> ? AND told IS NOT NULL"
        let others = try db.rows(sql, [try row["thread"] as Int64?, try row["channel"] as Int64, key])
        return try others.contains { SightingReason.level(bits: try $0["told"]) == SightingReason.level(bits: bits) }
    }

    /// The sightings of a digest that are neither dismissed nor under quarantine; nil if there are none. A single
    /// sighting is sent like any other alert.
    private func digest(_ key: Int64, at now: Timestamp) throws -> ClaimedAlert.Content? {
        let held = """
            FROM sighting JOIN station ON station.key = sighting.station
            WHERE sighting.key IN (SELECT sighting FROM alert WHERE digest = ?1) AND dismissed IS NULL
                AND (quarantined_since IS NULL OR last_seen < quarantined_since)
            """
        try db.run(
            """
            UPDATE alert SET told = (SELECT reasons FROM sighting WHERE key = alert.sighting)
            WHERE digest = ?1 AND sighting IN (SELECT sighting.key \(held))
            """,
            [key]
        )
        let count = Int(try db.integer("SELECT count(*) " + held, [key]) ?? 0)
        let condition = """
            WHERE sighting.key IN (SELECT sighting.key \(held)) ORDER BY sighting.first_seen DESC
            LIMIT \(ClaimedAlert.DigestContent.limit)
            """
        let latest = try db.rows(alertedSighting + condition, [key])
        guard let first = latest.first else { return nil }
        if count == 1 {
            return .sighting(try sightingContent(first, sighting(first), first: try first.id("visit"), at: now))
        }
        let report: ReportID = try first.id("report_id")
        return .digest(
            ClaimedAlert.DigestContent(
                bike: try first.bikeSummary(), policeReference: try first["police_reference"], report: report,
                count: count, sightings: try latest.map(sighting)
            )
        )
    }

    /// A sighting with its current judgement, as ``Sightings/current(of:_:)`` reads it.
    ///
    /// - Parameter row: a row of `alertedSighting`.
    private func sighting(_ row: StoredRow) throws -> Sighting {
        let report: ReportID = try row.id("report_id")
        return try row["judged_again"] ? Sightings(db).judged(row, of: report) : Sighting(row, report: report)
    }
}

/// An alert with its channel and owner, the first sighting of those that it reports together, and whether the owner of
/// the channel still owns the bike or is its member.
private let claimedAlert = """
    SELECT alert.id AS alert_id, alert.attempts, alert.created AS alert_created, alert.notice, alert.sighting,
        alert.thread, alert.news, alert.told, alert.urgent, alert.channel, channel.id AS channel_id,
        channel.kind AS channel_kind, channel.url, channel.secret, channel.coordinates, channel.settings,
        owner.id AS owner_id, owner.language, owner.zone, earliest.visit AS first_visit,
        bike.owner = channel.owner OR EXISTS (
            SELECT 1 FROM bike_member WHERE bike_member.bike = bike.key AND bike_member.owner = channel.owner
        ) AS may_read
    FROM alert JOIN channel ON channel.key = alert.channel JOIN owner ON owner.key = channel.owner
    LEFT JOIN sighting ON sighting.key = alert.sighting
    LEFT JOIN report ON report.key = coalesce(alert.report, sighting.report) LEFT JOIN bike ON bike.key = report.bike
    LEFT JOIN sighting AS earliest ON earliest.key = alert.thread
    WHERE alert.key = ?
    """

/// A sighting with everything that its message contains.
private let alertedSighting = """
    SELECT \(Sighting.columns), bike.id AS bike_id, bike.kind AS bike_kind, bike.make, bike.model,
        report.id AS report_id, report.police_reference, \(Sightings.isJudgedAgain) AS judged_again
    FROM sighting \(Sighting.joins)
    JOIN report ON report.key = sighting.report
    JOIN bike ON bike.key = report.bike

    """

extension StoredRow {
    /// The summary of the bike in the columns bike_id, bike_kind, make and model.
    func bikeSummary() throws -> SightingAlert.BikeSummary {
        SightingAlert.BikeSummary(
            id: try id("bike_id"), kind: try choice("bike_kind"), make: try self["make"], model: try self["model"]
        )
    }
}

extension ClaimedAlert.Content {
    fileprivate var isLate: Bool { if case .sighting(let content) = self { content.isLate } else { false } }
}
