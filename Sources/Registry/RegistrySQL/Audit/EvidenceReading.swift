package import Evidence
package import RegistryAPI
package import RegistryRules

/// Reads the contents of an evidence pack for one report.
package struct EvidenceReading {
    private let db: any Transaction
    private let report: ReportPath
    private let limit: Int

    /// - Parameter limit: the maximum number of sightings, of audit entries and of spans of coverage.
    package init(_ db: any Transaction, of report: ReportPath, limit: Int) {
        self.db = db
        self.report = report
        self.limit = limit
    }

    /// Commits the audit to the current contents of the newest sightings.
    package func recordGrowth(at time: Timestamp) throws {
        let key = try Reports(db).access(to: report, needing: .report).report
        let condition = "\(Self.ofReport) AND grown IS NOT NULL \(Self.newest)"
        _ = try RecordedSightings(db).recordGrowth(condition, [key, limit], at: time)
    }

    /// Reads the content of a pack. Checks the sightings’ records and the audit’s entries meanwhile.
    ///
    /// - Throws: ``ChainWalk/Fault`` if the sightings are not as the audit recorded them; `notFound`, `roleNeeded`.
    package func content(at time: Timestamp) throws -> EvidenceContent {
        let (access, reportKey) = try Reports(db).access(to: report, needing: .report)
        // First, so that nothing is computed from changed contents.
        let records = try records(ofReport: reportKey)
        let sightings = try sightings(ofReport: reportKey)
        let stations = try stations(of: sightings)
        let total = try countSightings(ofReport: reportKey)
        let entries = try checkEntries(of: access.ownerID, sightings, records, of: total)
        let partners = try PartnerStatements(db).evidence(of: records, inReport: reportKey, limit: limit)
        let audit = try auditEntries(
            of: access.ownerID,
            with: records.map(\.entry) + stations.entries + entries.dismissals + partners.entries)
        let end = try AuditTrail(db).end()
        let listening = try SearchCoverage(db: db, report: reportKey).content(
            heard: sightings.sorted { $0.lastSeen > $1.lastSeen }.map(\.place), limit: limit, at: time)
        var bike = try Bikes(db).existing(access.key).shown(to: access.role)
        // Whether buyers may check the number is not evidence.
        bike.buyerCheck = nil
        var content = EvidenceContent(
            bike: bike,
            report: try Reports(db).existing(report.id.blob, bike: access.key, of: report.bike),
            sightings: sightings, records: records, allSightings: total,
            stations: stations.places,
            coverage: listening.coverage,
            audit: audit, allAuditEntries: entries.count,
            proof: try proof(of: audit.map(\.index), end: end.length), auditLength: end.length, auditEnd: end.hash
        )
        content.partners = partners.evidence
        content.damagedDays = listening.damaged
        return content
    }

    private static let ofReport = "WHERE sighting.report = ?"
    private static let newest = "ORDER BY sighting.key DESC LIMIT ?"

    /// The newest sightings, in the order in which they were stored. All are judged now: anyone who can write to the
    /// database can change the stored judgement.
    private func sightings(ofReport key: Int64) throws -> [Sighting] {
        let rows = try db.rows("\(Sighting.query) \(Self.ofReport) \(Self.newest)", [key, limit])
        guard let judgement = try ReportJudgement(db, report: key) else {
            return try rows.reversed().map { try Sightings(db).judged($0, of: report.id) }
        }
        return try rows.reversed().map { row in
            guard let judged = try judgement.sightings[row["key"]] else { throw CorruptRow(column: "key") }
            return try Sighting(row, report: report.id, bits: judgement.outcome(of: judged).bits)
        }
    }

    /// The audit's records of the newest sightings. Later changes are not signed.
    private func records(ofReport key: Int64) throws -> [CommittedRecord] {
        try db.rows("\(RecordedSighting.query) \(Self.ofReport) \(Self.newest)", [key, limit]).reversed().map { row in
            guard let record = try CommittedContents(db).record(of: try RecordedSighting(row)) else {
                throw ChainWalk.Fault.changedSighting(try row.id("visit"))
            }
            return record
        }
    }

    /// Checks that the audit contains no later record of a sighting, no other sighting, and the same dismissals.
    ///
    /// - Returns: the number of the report's entries, and those of the sightings' dismissals.
    private func checkEntries(
        of owner: OwnerID, _ sightings: [Sighting], _ records: [CommittedRecord], of total: Int
    ) throws -> (count: Int, dismissals: [Int64]) {
        let sql = "SELECT * FROM audit WHERE owner = ? AND report = ? ORDER BY key"
        let dismissed = Set(sightings.filter { $0.dismissed != nil }.map { "\($0.id)" })
        var entries = SightingEntries(of: report.id)
        var count = 0
        var dismissals: [Int64] = []
        try db.eachRow(sql, [owner, report.id]) { row in
            let entry = try AuditEntry(row)
            entries.add(entry)
            count += 1
            guard entry.event?.action == AuditAction.sightingDismissed.rawValue,
                entry.event?.details["sighting"].map(dismissed.contains) == true
            else { return }
            dismissals.append(entry.index)
        }
        try entries.check(sightings, records, of: total)
        return (count, dismissals)
    }

    private func countSightings(ofReport key: Int64) throws -> Int {
        Int(try db.integer("SELECT count(*) FROM sighting \(Self.ofReport)", [key]) ?? 0)
    }

    /// The newest entries, and those that commit to the sightings and to the stations' places, in the order of the
    /// chain.
    private func auditEntries(of owner: OwnerID, with others: [Int64]) throws -> [AuditEntry] {
        let sql = "SELECT * FROM audit WHERE owner = ? AND report = ? ORDER BY key DESC LIMIT ?"
        let newest = try db.rows(sql, [owner, report.id, limit]).map(AuditEntry.init)
        let missing = Set(others).subtracting(newest.map(\.index))
        let more = try missing.compactMap { index in
            try db.row("SELECT * FROM audit WHERE key = ?", [index]).map(AuditEntry.init)
        }
        return (newest + more).sorted { $0.index < $1.index }
    }

    /// The stations that heard the bike, in the order of their enrolment.
    ///
    /// - Returns: also the entries that record their places.
    private func stations(of sightings: [Sighting]) throws -> (places: [StationPlaces], entries: [Int64]) {
        var entries: [Int64] = []
        let places = try Set(sightings.map(\.station.id)).sorted().map { id in
            guard let row = try db.row("SELECT * FROM station WHERE id = ?", [id.blob]) else {
                throw CorruptRow(column: "station")
            }
            let enrolled = try row.timestamp("enrolled")
            let places = try db.rows(
                "SELECT * FROM station_place WHERE station = ? ORDER BY since", [try row["key"] as Int64]
            )
            for place in places {
                try CommittedContents(db).checkPlace(place, of: id)
                entries.append(try place["entry"])
            }
            return StationPlaces(
                id: id, name: try row["name"], venue: try row["venue"], mobile: try row["mobile"], enrolled: enrolled,
                revoked: try row.optionalTimestamp("revoked"),
                places: try places.map { try StationPlaces.SurveyedPlace($0, enrolled: enrolled) }
            )
        }
        return (places, entries)
    }

    /// What proves that the entries belong to the chain that ends at an index.
    private func proof(of entries: [Int64], end: Int64) throws -> ChainProof {
        let links = try ChainProof.indices(to: entries, from: end).map { index in
            guard let row = try db.row("SELECT commitment FROM audit WHERE key = ?", [index]) else {
                throw ChainWalk.Fault.missing(index: index)
            }
            return ChainLink(
                index: index, commitment: try row.hash("commitment"), previous: try AuditTrail(db).chainHash(index - 1),
                shortcut: try AuditTrail(db).chainHash(AuditChain.shortcut(from: index))
            )
        }
        return ChainProof(links: links)
    }
}

extension StationPlaces.SurveyedPlace {
    /// From a row. The first place applies from the beginning of time: the station was surveyed when it enrolled.
    fileprivate init(_ row: StoredRow, enrolled: Timestamp) throws {
        guard let place = try row.place() else { throw CorruptRow(column: "latitude") }
        self.init(since: max(enrolled, try row.timestamp("since")), place: place)
    }
}
