import Foundation
package import RegistryAPI
package import RegistryRules

/// Reports of missing bikes.
package struct Reports {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Reports, and whether the key of an open one's rotating beacon cannot be read.
    static let query = """
        SELECT report.*, report.closed IS NULL AND EXISTS (
            SELECT 1 FROM bike JOIN rotating_beacon ON rotating_beacon.beacon = bike.beacon
            WHERE bike.key = report.bike AND rotating_beacon.unreadable <> 0
        ) AS unheard
        FROM report

        """

    /// Opens a report, and begins its search. A repeated call returns the first call’s report.
    ///
    /// - Parameter newFor: how long a beacon is new after its registration.
    /// - Throws: `notFound`, `roleNeeded`, `reportAlreadyOpen`, `ownerSuspended`, `beaconUnproved`, `quotaReached`,
    ///   `tooManyToday`, `idempotencyKeyReused`.
    package func open(
        _ draft: MissingReport, by owner: OwnerID, newFor: Duration, once: IdempotencyKey?, _ quotas: Quotas
    ) throws -> MissingReport {
        let access = try Bikes(db).access(to: draft.bike, by: owner, needing: .report)
        let bike = access.key
        var report = draft
        report.openedBy = access.member?.label
        if let earlier = try IdempotencyKeys(db).resource(of: once) {
            return try existing(earlier, bike: bike, of: report.bike)
        }
        if let open = try db.row("SELECT id FROM report WHERE bike = ? AND closed IS NULL", [bike]) {
            throw DomainError.reportAlreadyOpen(try open.id("id"))
        }
        try Owners(db).refuseSuspended(access)
        try BeaconClaims(db).refuseUnproved(bike)
        try OwnerLimits(db).requireRoom(for: .openReports, of: access.owner, quotas)
        // A member's reports count for the member, who must not use up the owner's daily allowance.
        try OwnerLimits(db).noteUse(.reports, by: access.caller, quotas, at: report.opened)
        let obstacle = try insert(report, bike: bike, newFor: newFor)
        let summary = try Bikes(db).existing(bike).summary
        if let obstacle {
            let notice = OwnerNotice(obstacle.notice, bike: summary)
            try Notices(db).queue(notice, toOwner: access.owner, at: report.opened, using: .system)
        }
        let act = OwnerAct(owner: owner, time: report.opened, entropy: .system)
        try Notices(db).tell(.reportOpened, byMember: access, by: act)
        try Notices(db).queueForMembers(
            OwnerNotice(.reportOpened, bike: summary), ofBike: bike, except: access.caller, at: report.opened,
            using: .system)
        try AuditTrail(db).append(access.event(.reportOpened, by: act, report: report.id))
        try IdempotencyKeys(db).remember(once, resource: report.id.blob)
        return try existing(report.id.blob, bike: bike, of: report.bike)
    }

    /// Changes a report, and notifies the owner if that weakens the search, or if a member does it.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `reportAlreadyClosed`, `tooManyToday`, `recoveryCodeNeeded`,
    ///   `codeUnusable`.
    package func change(
        _ id: ReportID, on bike: BikeID, _ patch: MissingReportPatch, by act: OwnerAct, _ quotas: Quotas
    ) throws -> MissingReport {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .report)
        let bikeKey = access.key
        let report = try existing(id.blob, bike: bikeKey, of: bike)
        let changed = patch.applied(to: report, at: act.time)
        guard changed != report else { return report }
        // The closure settled which moments belong to the report.
        guard report.closed == nil || changed.missingSince == report.missingSince else {
            throw DomainError.reportAlreadyClosed(id)
        }
        try OwnerLimits(db).noteUse(.reportChanges, by: access.caller, quotas, at: act.time)
        let weakening = SearchWeakening.of(report, to: changed)
        try RecoveryCodes(db).confirm(act, access, against: weakening)
        try change(report, to: changed, bike: bikeKey, at: act.time)
        if weakening?.notice == nil {
            try Notices(db).tell(.reportChanged, byMember: access, by: act)
        } else {
            try Notices(db).tell(weakening, access, bike: try Bikes(db).existing(bikeKey).summary, by: act)
        }
        try AuditTrail(db).append(access.event(.reportChanged, by: act, report: id))
        return try existing(id.blob, bike: bikeKey, of: bike)
    }

    /// Closes a report, and notifies the owner and the members. A repeated call returns the report.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `reportAlreadyClosed`, `idempotencyKeyReused`.
    package func close(
        _ id: ReportID, on bike: BikeID, _ closure: ReportClosure, by act: OwnerAct, once: IdempotencyKey?
    ) throws -> MissingReport {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .report)
        let bikeKey = access.key
        var report = try existing(id.blob, bike: bikeKey, of: bike)
        if try IdempotencyKeys(db).resource(of: once) == id.blob { return report }
        guard report.closed == nil else { throw DomainError.reportAlreadyClosed(id) }
        try close(id, as: closure, at: act.time)
        try AuditTrail(db).append(
            access.event(.reportClosed, by: act, report: id, details: ["outcome": closure.outcome.rawValue]))
        let summary = try Bikes(db).existing(bikeKey).summary
        try Notices(db).tell(.closeReport, access, bike: summary, by: act)
        try Notices(db).queueForMembers(
            OwnerNotice(.reportClosed, bike: summary), ofBike: bikeKey, except: access.caller, at: act.time,
            using: act.entropy)
        try IdempotencyKeys(db).remember(once, resource: id.blob)
        report.closed = act.time
        report.closure = closure
        report.unheard = nil
        return report
    }

    /// The report; nil if the bike has no such report.
    ///
    /// - Throws: `notFound` if the caller does not see the bike.
    package func find(_ path: ReportPath) throws -> MissingReport? {
        let bikeKey = try Bikes(db).access(to: path.bike, by: path.owner, needing: .see).key
        let row = try db.row(Self.query + "WHERE id = ? AND bike = ?", [path.id.blob, bikeKey])
        return try row.map { try MissingReport($0, bike: path.bike) }
    }

    /// A bike’s reports, in the order of their opening.
    ///
    /// - Throws: `notFound`.
    package func page(
        on bike: BikeID, of owner: OwnerID, _ page: PageRequest<ReportID>
    ) throws -> StoredPage<MissingReport, ReportID> {
        let bikeKey = try Bikes(db).access(to: bike, by: owner, needing: .see).key
        let after = page.after ?? ReportID(high: 0, low: 0)
        let sql = Self.query + "WHERE bike = ? AND id > ? ORDER BY id LIMIT ?"
        return try db.rows(sql, [bikeKey, after.blob, page.limit + 1])
            .map { try MissingReport($0, bike: bike) }
            .page(limit: page.limit, cursor: \.id)
    }

    /// A report that is known to exist.
    ///
    /// - Parameters:
    ///   - id: the bytes of its identifier.
    ///   - key: the bike’s key.
    /// - Throws: `notFound`.
    func existing(_ id: Data, bike key: Int64, of bike: BikeID) throws -> MissingReport {
        guard let row = try db.row(Self.query + "WHERE id = ? AND bike = ?", [id, key]) else {
            throw DomainError.notFound("report")
        }
        return try MissingReport(row, bike: bike)
    }

    /// Stores a new report and begins its search.
    ///
    /// - Returns: the reason why the bike is not searched for; nil if it is.
    @discardableResult
    func insert(_ report: MissingReport, bike: Int64, newFor: Duration) throws -> SearchObstacle? {
        try db.run(
            """
            INSERT INTO report (
                id, bike, opened, opened_by, missing_since, latitude, longitude, accuracy, police_reference,
                police_force, note, new_beacon, only_here
            )
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                report.id.blob, bike, report.opened.milliseconds, report.openedBy, report.missingSince.milliseconds,
                report.lastPlace?.latitude, report.lastPlace?.longitude, report.lastPlace?.accuracy,
                report.policeReference, report.policeForce, report.note,
                try isBeaconNew(ofBike: bike, for: newFor, at: report.opened), report.onlyHere == true,
            ]
        )
        try db.run(
            "UPDATE owner SET reports = reports + 1, unconfirmed = unconfirmed + 1 WHERE key = (SELECT owner FROM bike WHERE key = ?)",
            [bike]
        )
        try SearchSigns(db).note(report.id, at: report.opened)
        return try Searches(db).renew(of: report.id, at: report.opened)
    }

    /// Whether a bike's beacon was registered so recently that misuse is likely, and no operator has verified its
    /// owner.
    private func isBeaconNew(ofBike bike: Int64, for newFor: Duration, at time: Timestamp) throws -> Bool {
        let sql = """
            SELECT 1 FROM bike JOIN owner ON owner.key = bike.owner JOIN identity ON identity.beacon = bike.beacon
            WHERE bike.key = ? AND known IS NULL AND issued > ?
            """
        return try db.exists(sql, [bike, time.advanced(by: .zero - newFor).milliseconds])
    }

    /// Stores a report's editable fields; the search depends on the police reference.
    private func change(
        _ before: MissingReport, to report: MissingReport, bike: Int64, at time: Timestamp
    ) throws {
        let isSearchChanged =
            before.policeReference != report.policeReference || before.confirmed != report.confirmed
        if isSearchChanged { try Searches(db).count(of: report.id, at: time) }
        try db.run(
            """
            UPDATE report SET missing_since = ?, latitude = ?, longitude = ?, accuracy = ?, police_reference = ?,
                police_force = ?, note = ?, held_until = ?, confirmed = ?, only_here = ?
            WHERE id = ?
            """,
            [
                report.missingSince.milliseconds, report.lastPlace?.latitude, report.lastPlace?.longitude,
                report.lastPlace?.accuracy, report.policeReference, report.policeForce, report.note,
                report.heldUntil?.milliseconds, report.confirmed?.milliseconds, report.onlyHere == true,
                report.id.blob,
            ]
        )
        if before.confirmed != nil && report.confirmed == nil { try Owners(db).countUnconfirmed(1, ofBike: bike) }
        if isSearchChanged { try Searches(db).renew(of: report.id, at: time) }
        // Partners get another list, although stations get the same.
        if before.onlyHere != report.onlyHere { db.news.missingList = true }
    }

    /// Closes an open report, which ends its search. It notifies no one.
    func close(_ id: ReportID, as closure: ReportClosure, at time: Timestamp) throws {
        try Searches(db).count(of: id, at: time)
        try db.run(
            "UPDATE report SET closed = ?, outcome = ?, recovered_by = ?, closure_note = ? WHERE id = ?",
            [
                time.milliseconds, closure.outcome.rawValue, closure.recoveredBy?.rawValue, closure.note, id.blob,
            ]
        )
        if closure.outcome != .falseAlarm { try SearchEnds(db).note(id, at: time) }
    }

    /// Whether any bike of an owner is missing, by the owner’s key.
    func hasMissingBike(_ owner: Int64) throws -> Bool {
        try db.exists(
            "SELECT 1 FROM bike JOIN report ON report.bike = bike.key WHERE bike.owner = ? AND report.closed IS NULL",
            [owner]
        )
    }

    /// Refuses changes that are not allowed while the bike is missing.
    ///
    /// - Parameter bike: the bike’s key.
    /// - Throws: `bikeMissing`.
    func refuseMissing(_ bike: Int64) throws {
        if let open = try db.row("SELECT id FROM report WHERE bike = ? AND closed IS NULL", [bike]) {
            throw DomainError.bikeMissing(try open.id("id"))
        }
    }

    /// The access of a caller to a report's bike, and the integer key of the report.
    ///
    /// - Throws: `notFound` if the report does not belong to this bike, or the caller does not see the bike; `roleNeeded`.
    func access(to path: ReportPath, needing needed: BikeRole) throws -> (bike: BikeAccess, report: Int64) {
        let access = try Bikes(db).access(to: path.bike, by: path.owner, needing: needed)
        let sql = "SELECT key FROM report WHERE id = ? AND bike = ?"
        guard let key = try db.integer(sql, [path.id.blob, access.key]) else { throw DomainError.notFound("report") }
        return (access, key)
    }

    /// The integer key of a report.
    func key(of report: ReportID) throws -> Int64? {
        try db.integer("SELECT key FROM report WHERE id = ?", [report.blob])
    }

    /// The identifiers of reports by their keys.
    func ids(ofKeys keys: Set<Int64>) throws -> Set<ReportID> {
        Set(try keys.compactMap { try db.row("SELECT id FROM report WHERE key = ?", [$0])?.id("id") })
    }

    /// The open reports of an owner, by the owner’s key.
    func openReports(ofOwner owner: Int64) throws -> [ReportID] {
        let sql = """
            SELECT report.id FROM bike JOIN report ON report.bike = bike.key AND report.closed IS NULL WHERE bike.owner = ?
            """
        return try db.rows(sql, [owner]).map { try $0.id("id") }
    }
}

extension MissingReport {
    /// Reads a row of `report`, or of ``Reports/query``, which alone says whether the beacon cannot be heard.
    init(_ row: StoredRow, bike: BikeID) throws {
        let closed = try row.optionalTimestamp("closed")
        var closure: ReportClosure?
        if closed != nil {
            let recoverer: Recoverer? = row.hasNonNull("recovered_by") ? try row.choice("recovered_by") : nil
            closure = ReportClosure(
                outcome: try row.choice("outcome"), recoveredBy: recoverer, note: try row["closure_note"])
        }
        self.init(
            id: try row.id("id"), bike: bike, opened: try row.timestamp("opened"),
            openedBy: try row["opened_by"], missingSince: try row.timestamp("missing_since"),
            lastPlace: try row.place(),
            policeReference: try row["police_reference"], policeForce: try row["police_force"], note: try row["note"],
            onlyHere: try row["only_here"] ? true : nil, confirmed: try row.optionalTimestamp("confirmed"),
            heldUntil: try row.optionalTimestamp("held_until"),
            sightingsUntil: try row.optionalTimestamp("sightings_until"), closed: closed, closure: closure,
            unheard: (try row["unheard"] as Bool?) == true ? true : nil, newBeacon: try row["new_beacon"] ? true : nil
        )
    }
}
