import RegistryAPI
import RegistryRules

// Changes of known sightings.
extension VisitWriting {
    /// What a partner signed of a sighting that has changed: its last report, unless an earlier one says more.
    func signed(_ reported: ReportedVisit, _ known: KnownSighting, _ after: Visit) throws -> SignedReport? {
        guard let signed = reported.signed, !signed.visit.covers(after) else { return reported.signed }
        return try PartnerStatements(db).find(known.key) ?? signed
    }

    /// Whether a recorded sighting was changed by another program.
    func isChanged(
        _ known: KnownSighting, by reported: ReportedVisit, _ bike: MissingBike, before entries: PendingEntries
    ) throws -> Bool {
        // The audit does not contain this transaction's entries yet.
        guard let entry = known.entry, entry <= entries.end.length else { return false }
        let sighting = try? RecordedSighting(known, station: reported.station.id, report: bike.reportID)
        guard let sighting else { return true }
        return try !CommittedContents(db).isAsRecorded(sighting)
    }

    /// Assigns what is merged when a visit is reported again.
    private static let assignment = """
        UPDATE sighting SET (\(Visit.mergedColumns.map(\.name).joined(separator: ", ")))
            = (\(Visit.mergedColumns.map { _ in "?" }.joined(separator: ", "))),
            revision = \(SightingJudgement.nextRevision)
        """
    /// A change without an entry of the audit.
    private static let unrecordedChange = "\(assignment) WHERE key = ?"
    /// A change that an entry of the audit records.
    private static let recordedChange =
        "\(assignment), salt = ?, entry = ?, recorded = NULL, grown = NULL WHERE key = ?"
    /// Growth that an entry will record later.
    private static let growth =
        "\(assignment), recorded = coalesce(recorded, ?), grown = coalesce(grown, ?) WHERE key = ?"

    /// Changes a sighting and refers to the entry of the change; without one, the sighting does not match its record,
    /// which is left for `audit verify` to find.
    func change(
        _ known: KnownSighting, to visit: Visit, _ recorded: (salt: [UInt8], entry: Int64, signed: SignedReport?)?
    ) throws {
        var values: Parameters = []
        visit.bindMerged(to: &values)
        guard let recorded else {
            values.append(known.report, known.key)
            return try db.run(Self.unrecordedChange, values)
        }
        values.append(known.report, recorded.salt, recorded.entry, known.key)
        try db.run(Self.recordedChange, values)
        if let signed = recorded.signed { try PartnerStatements(db).store(signed, of: known.key) }
    }

    /// Changes a sighting during its visit, and keeps the recorded values.
    func grow(_ known: KnownSighting, to visit: Visit, at time: Timestamp) throws {
        var values: Parameters = []
        visit.bindMerged(to: &values)
        values.append(known.report, Growth(known.visit).text, time.milliseconds, known.key)
        try db.run(Self.growth, values)
    }

    /// Judges the sightings around a changed one again, and returns the number of alerts about changes.
    func judge(_ known: KnownSighting, _ after: Visit, at time: Timestamp) throws -> Int {
        let before = known.visit
        let first = min(before.firstSeen, after.firstSeen)
        let span = first.milliseconds...max(first, before.lastSeen, after.lastSeen).milliseconds
        return try SightingJudgement(db: db, report: known.report, time: time).update(around: span, of: known.key).news
    }
}
