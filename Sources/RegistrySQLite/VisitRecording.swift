import Foundation
import GRDB
import Registry
import RegistryAPI

/// Records the visits of one station inside a transaction.
struct VisitRecording {
    let db: Database
    let station: RecordingStation
    let time: Timestamp
    let entropy: Entropy

    /// Each visit on its own merits, in the order given.
    func record(_ visits: [Visit]) throws -> [RecordedVisit] {
        var entries: [AuditEvent] = []
        let recorded = try visits.map { try record($0, &entries) }
        try db.audit(entries)
        return recorded
    }

    private func record(_ visit: Visit, _ entries: inout [AuditEvent]) throws -> RecordedVisit {
        let known = "SELECT key FROM sighting WHERE station = ? AND visit = ?"
        if let key = try db.integer(known, [station.key, visit.id]) { return try merge(visit, into: key) }
        guard let bike = try MissingBike(db, at: visit) else { return .ignored }
        let surroundings = try Surroundings(db, of: visit, report: bike.report, station: station.key)
        let (sighting, news) = try insert(visit, report: bike.report, surroundings)
        entries.append(stored(visit, bike))
        let alerts = try SightingAlerts(db: db, time: time, entropy: entropy)
            .queue(sighting, stay: surroundings.stay, of: bike)
        return .stored(
            StoredVisit(appearance: bike.appearance, report: bike.reportID, isNew: true, alerts: alerts + news)
        )
    }

    private func merge(_ visit: Visit, into key: Int64) throws -> RecordedVisit {
        guard let row = try db.row("SELECT * FROM sighting WHERE key = ?", [key]) else {
            throw CorruptRow(column: "key")
        }
        guard row["beacon"] == visit.identity.blob else { return .contradicts(field: "identity") }
        guard row["stay"] == visit.stay.blob else { return .contradicts(field: "stay") }
        let before = try VisitObservation(row)
        let after = before.merged(with: VisitObservation(visit))
        let report: Int64 = row["report"]
        var news = 0
        if after != before {
            try update(key, of: report, to: after)
            let first = min(before.firstSeen, after.firstSeen)
            let span = first.milliseconds...max(first, before.lastSeen, after.lastSeen).milliseconds
            news = try SightingJudgement(db: db, report: report, time: time).update(around: span, of: key).news
        }
        let bike = try MissingBike(db, ofReport: report)
        return .stored(StoredVisit(appearance: bike.appearance, report: bike.reportID, isNew: false, alerts: news))
    }

    private func stored(_ visit: Visit, _ bike: MissingBike) -> AuditEvent {
        AuditEvent(
            .sightingStored, by: .station(station.id), at: time, owner: bike.ownerID, bike: bike.bikeID,
            report: bike.reportID, station: station.id, details: ["sighting": visit.id.description]
        )
    }
}

extension VisitRecording {
    /// Stores a new sighting with what it says of itself, and has it judged where other stations told of the bike, too.
    ///
    /// - Returns: what was stored, and how many alerts tell news of other sightings.
    private func insert(
        _ visit: Visit, report: Int64, _ surroundings: Surroundings
    ) throws -> (NewSighting, news: Int) {
        let observation = VisitObservation(visit)
        let hour = try ReportingHour(db, station: station.key, of: visit.firstSeen).count(unless: surroundings.wasHeard)
        let evidence = try station.evidence(visit.id, observation, reportsEverything: hour.reportsEverything)
        let reasons = Plausibility.reasons(of: [evidence])[0]
        try db.run(
            Self.insertion,
            [
                station.key, visit.id, visit.stay, visit.identity, report, time.milliseconds, report,
                SightingReason.bits(reasons),
            ] + observation.arguments
        )
        var sighting = NewSighting(
            key: db.lastInsertedRowID, station: station.key, evidence: evidence, reasons: reasons)
        var news = 0
        if surroundings.hasOtherStations {
            let first = visit.firstSeen.milliseconds
            let span = first...max(first, visit.lastSeen.milliseconds)
            let judgement = try SightingJudgement(db: db, report: report, time: time).update(
                around: span, of: sighting.key)
            sighting.reasons = judgement.reasons ?? reasons
            news = judgement.news
        }
        if hour.isFirstTooMany { news += try hour.judgeAnew(at: time).news }
        return (sighting, news)
    }

    private static let insertion = """
        INSERT INTO sighting (
            station, visit, stay, beacon, report, received, revision, reasons, \(VisitObservation.columns)
        ) VALUES (
            ?, ?, ?, ?, ?, ?, \(SightingJudgement.nextRevision), ?, \(marks)
        )
        """

    private static let marks = Array(repeating: "?", count: VisitObservation.columnCount).joined(separator: ", ")

    private func update(_ key: Int64, of report: Int64, to observation: VisitObservation) throws {
        try db.run(
            """
            UPDATE sighting SET (\(VisitObservation.columns)) = (\(Self.marks)), revision = \(SightingJudgement.nextRevision)
            WHERE key = ?
            """,
            observation.arguments + [report, key]
        )
    }
}

/// What is known around a new visit, by one look.
private struct Surroundings {
    /// The first sighting of what the station told of the same stay before; nil where it told nothing.
    let stay: Int64?
    /// Whether other stations told of the bike.
    let hasOtherStations: Bool
    /// Whether the station told of the bike in this hour before.
    let wasHeard: Bool

    init(_ db: Database, of visit: Visit, report: Int64, station: Int64) throws {
        let hour = ReportingHour.times(of: visit.firstSeen)
        let sql = """
            SELECT
                -- The plus keeps SQLite to the index of stays; by report and station it would read all that was told before.
                (
                    SELECT coalesce(thread, key) FROM sighting
                    WHERE station = ?2 AND stay = ?3 AND +report = ?1 LIMIT 1
                ),
                EXISTS (SELECT 1 FROM sighting WHERE report = ?1 AND station < ?2)
                    OR EXISTS (SELECT 1 FROM sighting WHERE report = ?1 AND station > ?2),
                EXISTS (
                    SELECT 1 FROM sighting
                    WHERE report = ?1 AND station = ?2 AND last_seen >= ?4 AND first_seen BETWEEN ?4 AND ?5
                )
            """
        let arguments: StatementArguments = [report, station, visit.stay, hour.lowerBound, hour.upperBound]
        (stay, hasOtherStations, wasHeard) =
            try db.firstColumns(sql, arguments) { ($0.optionalInteger(), $0.bool(), $0.bool()) } ?? (nil, false, false)
    }
}
