import RegistryAPI
import RegistryRules

// Changes of known sightings, with the audit's entries about them.
extension VisitWriting {
    /// Changes a sighting during its visit, and keeps the recorded values.
    func grow(_ known: KnownSighting, to after: Visit, _ reported: ReportedVisit) throws {
        var values: Parameters = []
        after.bindContents(to: &values)
        values.append(known.report, Growth(known.visit).text, reported.time.milliseconds, known.key)
        try db.run(Self.growth, values)
        guard let signed = reported.signed, signed.visit.covers(after) else { return }
        try PartnerStatements(db).store(signed, of: known.key)
    }

    /// Changes a sighting, with an entry in the audit. After a change by another program it gets none, because a new
    /// entry would make that look valid; `audit verify` then finds that the sighting does not match its record.
    mutating func change(
        _ known: KnownSighting, to after: Visit, _ bike: MissingBike, _ reported: ReportedVisit,
        _ entries: inout PendingEntries
    ) throws {
        var values: Parameters = []
        after.bindContents(to: &values)
        guard try !isChanged(known, by: reported, bike, before: entries) else {
            values.append(known.report, known.key)
            return try db.run(Self.unrecordedChange, values)
        }
        let salt = known.salt ?? newSalt()
        let signed = try signed(reported, known, after)
        let entry = entries.append(
            reported.event(
                .sightingChanged, after, bike, slot: known.slot, received: known.received, salt: salt, signed))
        values.append(known.report, salt, entry, known.key)
        try db.run(Self.recordedChange, values)
        if let signed { try PartnerStatements(db).store(signed, of: known.key) }
    }

    /// Whether a recorded sighting was changed by another program.
    private func isChanged(
        _ known: KnownSighting, by reported: ReportedVisit, _ bike: MissingBike, before entries: PendingEntries
    ) throws -> Bool {
        // The audit does not contain this transaction's entries yet.
        guard let entry = known.entry, entry <= entries.end.length else { return false }
        let sighting = try? RecordedSighting(known, station: reported.station.id, report: bike.reportID)
        guard let sighting else { return true }
        return try !CommittedContents(db).isAsRecorded(sighting)
    }

    /// What a partner signed of a sighting that has changed: its last report, unless an earlier one says more.
    private func signed(_ reported: ReportedVisit, _ known: KnownSighting, _ after: Visit) throws -> SignedReport? {
        guard let signed = reported.signed, !signed.visit.covers(after) else { return reported.signed }
        return try PartnerStatements(db).find(known.key) ?? signed
    }

    /// Assigns what is merged when a visit is reported again.
    private static let assignment = """
        UPDATE sighting SET (\(Visit.contentColumns.map(\.name).joined(separator: ", ")))
            = (\(Visit.contentColumns.map { _ in "?" }.joined(separator: ", "))),
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
}
