package import Beacons
import Foundation
package import RegistryAPI
package import RegistryRules

/// Operators' decisions about one search.
package struct ReviewedSearches {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Confirms the police reference of a report, which is then searched for as long as it is open. Confirming again
    /// changes nothing.
    ///
    /// - Parameter reference: the reference that the operator has checked.
    /// - Throws: `notFound`; `invalidFields` if the report has another one by now.
    package func confirmReference(
        _ reference: String, of report: ReportID, by act: OperatorAct
    ) throws -> ReportReview {
        let row = try reviewedReport(report)
        let given: String? = try row["police_reference"]
        guard given == reference, MissingReport.isReference(reference) else {
            throw DomainError.invalidField(
                "/policeReference", "is not the report’s reference now; look at the report again")
        }
        guard !row.hasNonNull("confirmed") else { return try ReportReview(row) }
        try Searches(db).count(of: report, at: act.time)
        try setConfirmed(act.time, report, row)
        // A theft confirmed by the police resets the beacon's search days.
        if let beacon: Data = try row["beacon"] {
            try db.run(
                "UPDATE identity SET searched_on_word = 0, searched_on_reference = 0 WHERE beacon = ?", [beacon])
        }
        return try finish(.referenceConfirmed, .referenceConfirmed, reference, report, row, act)
    }

    /// Takes back a confirmation: the search ends when its days are used up.
    ///
    /// - Throws: `notFound`.
    package func withdrawConfirmation(of report: ReportID, by act: OperatorAct) throws -> ReportReview {
        let row = try reviewedReport(report)
        guard row.hasNonNull("confirmed") else { return try ReportReview(row) }
        try setConfirmed(nil, report, row)
        return try finish(
            .referenceWithdrawn, .referenceWithdrawn, try row["police_reference"], report, row, act)
    }

    /// Keeps a beacon off the missing list, regardless of its owner. Stopping again changes nothing.
    ///
    /// - Throws: `notFound` for a beacon that this registry has never known.
    package func stop(
        for beacon: BeaconIdentity, reason: String, by act: OperatorAct
    ) throws -> BeaconReview {
        let stopped = try setStopped(reason, beacon, .searchStopped, .beaconStopped, act)
        return BeaconReview(identity: beacon, stopped: stopped)
    }

    /// Ends the stop of a beacon.
    ///
    /// - Throws: `notFound`.
    package func allow(for beacon: BeaconIdentity, by act: OperatorAct) throws -> BeaconReview {
        _ = try setStopped(nil, beacon, .searchAllowed, .beaconAllowed, act)
        return BeaconReview(identity: beacon)
    }

    /// A row of ``ReportReview/query``.
    ///
    /// - Throws: `notFound`.
    private func reviewedReport(_ id: ReportID) throws -> StoredRow {
        guard let row = try db.row(ReportReview.query + "WHERE report.id = ?", [id.blob]) else {
            throw DomainError.notFound("report")
        }
        return row
    }

    /// Stores when the reference was confirmed; nil for not.
    ///
    /// - Parameter row: the report’s row.
    private func setConfirmed(_ time: Timestamp?, _ report: ReportID, _ row: StoredRow) throws {
        try db.run("UPDATE report SET confirmed = ? WHERE id = ?", [time?.milliseconds, report.blob])
        try Owners(db).countUnconfirmed(time == nil ? 1 : -1, ofBike: try row["bike"])
    }

    /// Continues or ends the search after an operator’s decision, and notifies the owner.
    ///
    /// - Parameters:
    ///   - subject: the reference.
    ///   - reviewed: the report’s row before the decision.
    private func finish(
        _ event: OwnerNotice.Event, _ action: AuditAction, _ subject: String?, _ report: ReportID,
        _ reviewed: StoredRow,
        _ act: OperatorAct
    ) throws -> ReportReview {
        try Searches(db).renew(of: report, at: act.time)
        let bike = try db.row(Bikes.query + "WHERE bike.key = ?", [try reviewed["bike"] as Int64])
        let summary = try bike?.summary()
        try Notices(db).tell(OwnerNotice(event, bike: summary, subject: subject), toOwner: try reviewed["owner"], act)
        try AuditTrail(db).append(
            act.event(action, owner: try reviewed.id("owner_id"), bike: summary?.id, report: report))
        return try ReportReview(reviewedReport(report))
    }

    /// Stops the search for a beacon, or allows it again, and notifies the owner. The same again changes nothing.
    ///
    /// - Parameter reason: why the beacon is stopped; nil to allow it again.
    /// - Returns: the time since which the beacon is stopped; nil if it is not.
    private func setStopped(
        _ reason: String?, _ beacon: BeaconIdentity, _ event: OwnerNotice.Event, _ action: AuditAction,
        _ act: OperatorAct
    ) throws -> Timestamp? {
        let time = reason == nil ? nil : act.time
        // A person who is tracked knows only the identity that a rotating beacon sent.
        let beacon = try RotatingBeacons(db).name(of: beacon)
        guard let known = try db.row("SELECT stopped FROM identity WHERE beacon = ?", [beacon.blob]) else {
            throw DomainError.notFound("beacon")
        }
        guard known.hasNonNull("stopped") != (time != nil) else { return try known.optionalTimestamp("stopped") }
        try db.run(
            "UPDATE identity SET stopped = ?, objections = 0 WHERE beacon = ?", [time?.milliseconds, beacon.blob])
        let stops = SearchStops(db)
        try stops.end(for: beacon.blob)
        let sql = """
            SELECT bike.*, report.id AS open_report, owner.id AS owner_id
            FROM bike JOIN owner ON owner.key = bike.owner
            LEFT JOIN report ON report.bike = bike.key AND report.closed IS NULL WHERE bike.beacon = ?
            """
        guard let row = try db.row(sql, [beacon.blob]) else {
            try AuditTrail(db).append(act.event(action, reason: reason))
            return time
        }
        if time != nil { try BeaconTests(db).endAll(ofOwner: try row["owner"]) }
        if let reason { try stops.begin(for: beacon, owner: try row["owner"], reason: reason) }
        if row.hasNonNull("open_report") { try Searches(db).renew(of: try row.id("open_report"), at: act.time) }
        let bike = try row.summary()
        let notice = OwnerNotice(event, bike: bike, subject: reason)
        try Notices(db).queueForSearch(
            notice, ofBike: try row["key"], owner: try row["owner"], at: act.time, using: act.entropy)
        try AuditTrail(db).append(act.event(action, owner: try row.id("owner_id"), bike: bike.id, reason: reason))
        return time
    }
}

extension StoredRow {
    /// The summary of this row’s bike for notices, from the columns `id`, `kind`, `make` and `model`.
    func summary() throws -> SightingAlert.BikeSummary {
        .init(id: try id("id"), kind: try choice("kind"), make: try self["make"], model: try self["model"])
    }
}
