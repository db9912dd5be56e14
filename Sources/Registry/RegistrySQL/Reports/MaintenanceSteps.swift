package import RegistryAPI
package import RegistryRules

/// Changes that are due only because time passes (``MaintenanceStore``). Each step handles a limited number of rows,
/// returns how many it has handled, and can be repeated.
package struct MaintenanceSteps {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Closes reports that have been open for ``MissingReport/lifetime``.
    package func expireReports(limit: Int, at time: Timestamp, using entropy: Entropy) throws -> Int {
        let begin = time.advanced(by: .zero - MissingReport.lifetime)
        return try changeDueReports("opened <= ?", [begin.milliseconds], limit, at: time, using: entropy) { report in
            try Reports(db).close(report.id, as: ReportClosure(outcome: .expired), at: time)
            return (.reportExpired, .reportExpired)
        }
    }

    /// Notifies owners of reports that expire within ``MissingReport/expiryNotice``.
    package func announceExpiries(limit: Int, at time: Timestamp, using entropy: Entropy) throws -> Int {
        let begin = time.advanced(by: MissingReport.expiryNotice - MissingReport.lifetime)
        let due = "opened <= ? AND expiry_told IS NULL"
        return try changeDueReports(due, [begin.milliseconds], limit, at: time, using: entropy) { report in
            try db.run(
                "UPDATE report SET expiry_told = ? WHERE id = ?", [time.milliseconds, report.id.blob]
            )
            return (.reportExpiring, nil)
        }
    }

    /// Takes bikes off the missing list whose beacons’ days are used up.
    package func suspendReports(limit: Int, at time: Timestamp, using entropy: Entropy) throws -> Int {
        let due = "listed = 1 AND sightings_until <= ?"
        return try changeDueReports(due, [time.milliseconds], limit, at: time, using: entropy) { report in
            try Searches(db).count(of: report.id, at: time)
            try db.run("UPDATE report SET listed = 0 WHERE id = ?", [report.id.blob])
            let basis = SearchBasis(policeReference: report.policeReference, isConfirmed: false)
            return (SearchObstacle.noDays(basis).notice, .reportSuspended)
        }
    }

    /// Advises, once, the owners whose search ends soon.
    package func announceSearchEnds(limit: Int, at time: Timestamp, using entropy: Entropy) throws -> Int {
        let end = time.advanced(by: MissingReport.searchNotice).milliseconds
        let endOfNewBeacon = time.advanced(by: MissingReport.searchNoticeOfNewBeacon).milliseconds
        let due = """
            listed = 1 AND search_end_told IS NULL AND sightings_until > ? AND sightings_until <= ?
                AND (new_beacon = 0 OR sightings_until <= ?)
            """
        let times: Parameters = [time.milliseconds, end, endOfNewBeacon]
        return try changeDueReports(due, times, limit, at: time, using: entropy) { report in
            try db.run(
                "UPDATE report SET search_end_told = ? WHERE id = ?", [time.milliseconds, report.id.blob]
            )
            let basis = SearchBasis(policeReference: report.policeReference, isConfirmed: false)
            return (basis == .word ? .referenceNeeded : .confirmationNeeded, nil)
        }
    }

    /// Ends the tests of beacons whose time is over.
    package func endBeaconTests(limit: Int, at time: Timestamp) throws -> Int {
        try BeaconTests(db).end(limit: limit, at: time)
    }

    /// Makes the audit commit to sightings whose visits have continued for ``SightingRules/unrecorded``.
    package func recordGrowth(limit: Int, at time: Timestamp) throws -> Int {
        let since = time.advanced(by: .zero - SightingRules.unrecorded)
        return try RecordedSightings(db).recordGrowth(
            "WHERE grown <= ? ORDER BY grown LIMIT ?", [since.milliseconds, limit], at: time)
    }

    /// The number of sightings after which a step ends.
    private static let mostDeleted = 2000

    /// Deletes the sightings of reports that closed ``MissingReport/retention`` ago and are not held. A step also ends
    /// after ``mostDeleted`` sightings.
    package func deleteOldSightings(limit: Int, at time: Timestamp) throws -> Int {
        let end = time.advanced(by: .zero - MissingReport.retention)
        let sql = """
            SELECT report.key, report.id, bike.id AS bike_id, owner.id AS owner_id
            FROM report JOIN bike ON bike.key = report.bike JOIN owner ON owner.key = bike.owner
            WHERE report.closed IS NOT NULL AND report.sightings_deleted IS NULL AND report.closed <= ?
                AND coalesce(report.held_until, 0) <= ?
            ORDER BY report.closed LIMIT ?
            """
        var (count, sightings) = (0, 0)
        var owners: Set<OwnerID> = []
        // The next step deletes what exceeds this, so that no change takes long.
        for report in try db.rows(sql, [end.milliseconds, time.milliseconds, limit]) where sightings < Self.mostDeleted
        {
            let key: Int64 = try report["key"]
            sightings += try Sightings(db).deleteAll(of: key)
            try db.run("DELETE FROM slot_lag WHERE report = ?", [key])
            try db.run("DELETE FROM alert_share WHERE report = ?", [key])
            try db.run("DELETE FROM alert WHERE report = ?", [key])
            try db.run("UPDATE report SET sightings_deleted = ? WHERE key = ?", [time.milliseconds, key])
            let owner: OwnerID = try report.id("owner_id")
            owners.insert(owner)
            count += 1
            try AuditTrail(db).append(
                AuditEvent(
                    .sightingsDeleted, by: nil, at: time, owner: owner,
                    bike: try report.id("bike_id"), report: try report.id("id")
                )
            )
        }
        for owner in owners.sorted() { try AuditTrail(db).eraseDeletedSightings(ofOwner: owner, at: time) }
        return count
    }

    /// Deletes what nothing needs any more, such as counts of earlier days, and what has expired.
    package func deleteLeftovers(at time: Timestamp) throws {
        let week = time.advanced(by: .zero - IdempotencyKey.lifetime).milliseconds
        let lastDay = time.advanced(by: .zero - AttemptLimit.mailboxQuestions.window).milliseconds
        try db.run("DELETE FROM mailbox_question WHERE time <= ?", [lastDay])
        let hour = time.advanced(by: .zero - AttemptLimit.channelMessages.window).milliseconds
        try db.run("DELETE FROM channel_message WHERE time <= ?", [hour])
        let lastUpload = time.advanced(by: .zero - AttemptLimit.photoUploads.window).milliseconds
        try db.run("DELETE FROM photo_upload WHERE time <= ?", [lastUpload])
        let lastUse = time.advanced(by: .zero - DailyUse.window).milliseconds
        try db.run("DELETE FROM daily_use WHERE time <= ?", [lastUse])
        try db.run("DELETE FROM once WHERE created < ?", [week])
        // A repeated request may need an invitation as long as its idempotency key is stored.
        try db.run("DELETE FROM owner_invitation WHERE expires < ?", [week])
        try Sessions(db).deleteExpired(at: time)
        try DeskSessions(db).deleteEnded(at: time)
        try DeliveryErrorCounts(db).forget(at: time)
        try Shares(db).deleteEnded(at: time)
        try Displays(db).deleteExpired(at: time)
        try SafetyRequests(db).deleteOld(at: time)
        try MemberInvitations(db).deleteExpired(at: time)
        try PartnerOutbox(db).forget(at: time)
        try db.run("DELETE FROM transfer WHERE expires <= ?", [time.milliseconds])
        try ParkedBikes(db).forget(before: time.advanced(by: .zero - ParkedPlace.retention))
        let month = time.advanced(by: .zero - MissingReport.retention).milliseconds
        try db.run("DELETE FROM alert WHERE notice IS NOT NULL AND due IS NULL AND created < ?", [month])
        // A bike's current dates are not scheduled again once they are past.
        let lastMonth = CalendarDate(Timestamp(milliseconds: month))
        try db.run("DELETE FROM reminder WHERE date < ?", [lastMonth.day])
        try db.run(
            """
            DELETE FROM channel WHERE removed IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM alert WHERE channel = channel.key AND due IS NOT NULL)
            """,
            []
        )
    }

    /// Applies a change to open reports that are due, and notifies their owners.
    ///
    /// - Parameters:
    ///   - due: the condition of the reports.
    ///   - change: applies the change, and returns the notice for the owner and the action for the audit; nil for
    ///     none.
    /// - Returns: the number of reports.
    private func changeDueReports(
        _ due: String, _ arguments: Parameters, _ limit: Int, at time: Timestamp, using entropy: Entropy,
        _ change: (MissingReport) throws -> (OwnerNotice.Event, AuditAction?)
    ) throws -> Int {
        let sql = "SELECT * FROM report WHERE closed IS NULL AND \(due) LIMIT ?"
        let reports = try db.rows(sql, [arguments, limit])
        for row in reports {
            let holder = try db.row(Bikes.query + "WHERE bike.key = ?", [try row["bike"] as Int64])
            guard let holder else { throw CorruptRow(column: "bike") }
            let bike = try Bike(holder)
            let report = try MissingReport(row, bike: bike.id)
            let (event, action) = try change(report)
            let notice = OwnerNotice(
                event, bike: bike.summary, subject: event.namesReference ? report.policeReference : nil,
                date: event.date(of: report).map { CalendarDate($0) }
            )
            try Notices(db).queueForSearch(
                notice, ofBike: try row["bike"], owner: try holder["owner"], at: time, using: entropy)
            guard let action else { continue }
            let owner = try db.row("SELECT id FROM owner WHERE key = ?", [try holder["owner"] as Int64])
            try AuditTrail(db).append(
                AuditEvent(
                    action, by: nil, at: time, owner: try owner?.id("id"), bike: bike.id, report: report.id
                )
            )
        }
        return reports.count
    }
}

extension OwnerNotice.Event {
    /// Whether the notice names the police reference.
    fileprivate var namesReference: Bool { self == .reportUnconfirmed || self == .confirmationNeeded }

    /// The time in a report that a notice announces.
    fileprivate func date(of report: MissingReport) -> Timestamp? {
        switch self {
        case .reportExpiring: report.expires
        case .referenceNeeded, .confirmationNeeded: report.sightingsUntil
        default: nil
        }
    }
}
