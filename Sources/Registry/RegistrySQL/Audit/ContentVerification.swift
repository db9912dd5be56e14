import Evidence
import Foundation
import RegistryAPI
import RegistryRules

/// Contents of sightings and places that the audit commits to.
package struct CommittedContents {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Checks a place of a station against its entry.
    ///
    /// - Parameter row: a row of `station_place`.
    /// - Throws: ``ChainWalk/Fault``.
    func checkPlace(_ row: StoredRow, of station: StationID) throws {
        let event = try (row["entry"] as Int64?).flatMap(committedEntry)?.event
        let since: Int64 = try row["since"]
        // The first place applies from the beginning of time, and its entry has no date.
        let recordedSince = event?.details["since"] ?? Timestamp(milliseconds: 0).description
        guard let surveyed = event?.surveyedPlace, surveyed.station == station, try surveyed.place == row.place(),
            recordedSince == Timestamp(milliseconds: since).description
        else { throw ChainWalk.Fault.changedPlace(station) }
    }

    /// Whether a sighting matches the audit's commitment, apart from permitted growth of its visit.
    func isAsRecorded(_ sighting: RecordedSighting) throws -> Bool { try record(of: sighting) != nil }

    /// The record of a sighting that matches the audit's commitment; nil if none does.
    func record(of sighting: RecordedSighting) throws -> CommittedRecord? {
        guard sighting.hasGrownRightly, let index = sighting.entry, let entry = try committedEntry(index) else {
            return nil
        }
        guard let record = sighting.committed.first(where: { $0.isCommitted(by: entry) }) else { return nil }
        if let signature = entry.event?.details[PartnerStatement.signatureDetail],
            try !PartnerStatements(db).isAsRecorded(signature, of: sighting)
        {
            return nil
        }
        guard record.record == sighting.recordWithoutSlot else { return record }
        // An older record has no slot. While the beacon's slots are stored, the sighting's slot is compared with them.
        let slot = try db.integer("SELECT slot FROM rotating_slot WHERE beacon = ?", [sighting.beacon])
        return slot == nil || slot == sighting.slot ? record : nil
    }

    /// The audit entry at an index; nil if it is erased or its commitment does not match its content.
    private func committedEntry(_ index: Int64) throws -> AuditEntry? {
        guard let entry = try db.row("SELECT * FROM audit WHERE key = ?", [index]).map(AuditEntry.init),
            entry.computedCommitment == HashValue(entry.commitment)
        else { return nil }
        return entry
    }
}

/// Compares audit entries with what they commit to: erasures, sightings and stations' places. Also compares the stored
/// reasons of sightings with those that follow from the sightings.
///
/// Each entry must be passed in the order of the chain, after it has been verified.
struct ContentVerification {
    private let db: any Transaction
    private var contents = AuditVerification.Contents()
    /// Erasures whose entry has been verified.
    private var erasures: Set<Int64> = []
    /// The current time, by the system and by the last entry about a sighting: a registry that was stopped has recorded
    /// nothing in the meantime.
    private let now: Timestamp
    private var newest: Timestamp?
    /// The reports that lack sightings, each with one of the missing sightings.
    private var gone: [ReportID: VisitID] = [:]

    init(db: any Transaction, at now: Timestamp = WallClock.system.now) {
        self.db = db
        self.now = now
    }

    /// Takes the next entry of the chain, and checks what it says about an erasure, a sighting or a place.
    ///
    /// - Throws: ``ChainWalk/Fault``.
    mutating func follow(_ entry: AuditEntry) throws {
        guard let event = entry.event else { return try followErased(entry) }
        switch event.action {
        case AuditAction.sightingStored.rawValue, AuditAction.sightingChanged.rawValue:
            newest = event.time
            try followSighting(entry.index, event)
        case AuditAction.sightingsDeleted.rawValue:
            if let report = event.report { gone[report] = nil }
        default:
            guard let place = event.surveyedPlace else { return }
            let sql = """
                SELECT 1 FROM station_place JOIN station ON station.key = station_place.station
                WHERE station.id = ? AND station_place.entry = ?
                """
            guard try db.exists(sql, [place.station, entry.index]) else {
                throw ChainWalk.Fault.changedPlace(place.station)
            }
        }
    }

    /// Checks that an erasure names exactly this entry and the others that refer to it.
    private mutating func followErased(_ entry: AuditEntry) throws {
        guard let index = entry.erasedBy, index > entry.index else { throw ChainWalk.Fault.emptied(index: entry.index) }
        guard erasures.insert(index).inserted else { return }
        let proof = try AuditTrail(db).erasureProof("WHERE erasure = ?", [index])
        guard let erasure = try db.row("SELECT * FROM audit WHERE key = ?", [index]).map(AuditEntry.init),
            proof.isCommitted(by: erasure)
        else { throw ChainWalk.Fault.emptied(index: entry.index) }
    }

    /// Checks that the sighting exists, unless a later entry records its deletion, and that it refers to this entry or
    /// a later one.
    private mutating func followSighting(_ index: Int64, _ event: AuditEntry.Event) throws {
        guard let visit = event.details["sighting"].flatMap(VisitID.init), let station = event.station,
            let report = event.report
        else { throw ChainWalk.Fault.changed(index: index) }
        let sql = """
            SELECT sighting.* FROM sighting JOIN station ON station.key = sighting.station
                JOIN report ON report.key = sighting.report
            WHERE station.id = ? AND sighting.visit = ? AND report.id = ?
            """
        guard let row = try db.row(sql, [station, visit, report]) else {
            gone[report] = visit
            return
        }
        guard let latest: Int64 = try row["entry"], latest >= index else {
            throw ChainWalk.Fault.changedSighting(visit)
        }
    }

    /// Checks all sightings and places, after the last entry.
    mutating func finish() throws -> AuditVerification.Contents {
        if let visit = gone.values.min() { throw ChainWalk.Fault.missingSighting(visit) }
        try db.eachRow(RecordedSighting.query, []) { try check($0) }
        let places = """
            SELECT station.id AS station_id, station_place.* FROM station_place
            JOIN station ON station.key = station_place.station
            """
        try db.eachRow(places, []) { row in
            try CommittedContents(db).checkPlace(row, of: try row.id("station_id"))
        }
        // Last, since reasons follow from places, too.
        try db.eachColumns("SELECT DISTINCT report FROM sighting", []) { try checkJudgement(ofReport: $0.integer()) }
        return contents
    }

    /// Checks a sighting against its entry.
    ///
    /// - Parameter row: a row of ``RecordedSighting/query``.
    private mutating func check(_ row: StoredRow) throws {
        let visit: VisitID = try row.id("visit")
        guard let sighting = try? RecordedSighting(row) else { throw ChainWalk.Fault.changedSighting(visit) }
        guard sighting.entry != nil else { throw ChainWalk.Fault.missingSighting(visit) }
        guard try CommittedContents(db).isAsRecorded(sighting), sighting.grown.map(isOfLastHour) ?? true else {
            throw ChainWalk.Fault.changedSighting(visit)
        }
        contents.sightings += 1
        if sighting.hasGrown { contents.growing += 1 }
    }

    /// Checks that the stored reasons of a report's sightings follow from what was heard.
    private mutating func checkJudgement(ofReport report: Int64) throws {
        guard try !Sightings(db).areJudgedAgain(ofReport: report),
            let judgement = try ReportJudgement(db, report: report)
        else {
            contents.unjudged += try db.integer("SELECT count(*) FROM sighting WHERE report = ?", [report]) ?? 0
            return
        }
        for judged in judgement.sightings.values {
            guard let stored = judgement.outcome(of: judged).stored else {
                contents.unjudged += 1
                continue
            }
            guard stored.contains(judged.bits) else { throw ChainWalk.Fault.changedReasons(judged.evidence.visit) }
        }
    }

    /// Whether the growth of a visit since this time may not be recorded yet. The registry records growth hourly, and
    /// as soon as it starts.
    private func isOfLastHour(_ grown: Timestamp) -> Bool {
        let limit = SightingRules.unrecorded + Self.maintenance
        return grown.advanced(by: limit) >= newest ?? grown
            && grown <= max(now, newest ?? now).advanced(by: SightingRules.clockTolerance)
    }

    /// Longer than the interval between two rounds of ``Maintenance``, including the duration of a round: 5 minutes.
    private static let maintenance = Duration.seconds(300)
}
