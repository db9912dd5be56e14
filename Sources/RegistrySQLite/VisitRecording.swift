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

    func record(_ visit: Visit) throws -> RecordedVisit {
        if let row = try db.row(Self.known, [station.key, visit.id.blob]) { return try merge(visit, into: row) }
        guard let report = try report(for: visit) else { return .ignored }
        let surroundings = try Surroundings(db, of: visit, report: report["report"], station: station.key)
        let (sighting, news) = try insert(visit, report: report["report"], surroundings)
        try audit(visit, report)
        let alerts = try SightingAlerts(db: db, time: time, entropy: entropy)
            .queue(sighting, stay: surroundings.stay, report: report)
        return .stored(try stored(report, isNew: true, alerts: alerts + news))
    }

    private static let bikeColumns = """
        bike.owner, owner.id AS owner_id, owner.tells_appearance, bike.id AS bike_id, bike.kind, bike.make, bike.model,
        bike.colours, report.key AS report, report.id AS report_id, report.missing_since, report.closed,
        report.sightings_until, report.told_last, owner.zone, owner.quiet_from, owner.quiet_to
        """

    private static let known = """
        SELECT sighting.*, \(bikeColumns)
        FROM sighting JOIN report ON report.key = sighting.report JOIN bike ON bike.key = report.bike
        JOIN owner ON owner.key = bike.owner
        WHERE sighting.station = ? AND sighting.visit = ?
        """

    private func merge(_ visit: Visit, into row: Row) throws -> RecordedVisit {
        guard row["beacon"] == visit.identity.blob else { return .contradicts(field: "identity") }
        guard row["stay"] == visit.stay.blob else { return .contradicts(field: "stay") }
        let before = try VisitObservation(row)
        let after = before.merged(with: VisitObservation(visit))
        var news = 0
        if after != before {
            let report: Int64 = row["report"]
            try update(row["key"], of: report, to: after)
            let first = min(before.firstSeen, after.firstSeen)
            let span = first.milliseconds...max(first, before.lastSeen, after.lastSeen).milliseconds
            news = try SightingJudgement(db: db, report: report, time: time).update(around: span, of: row["key"]).news
        }
        return .stored(try stored(row, isNew: false, alerts: news))
    }

    /// The report under which the bike was missing at the visit's time, the one that opened last among several.
    private func report(for visit: Visit) throws -> Row? {
        let sql = """
            SELECT \(Self.bikeColumns) FROM bike JOIN report ON report.bike = bike.key
            JOIN owner ON owner.key = bike.owner
            WHERE bike.beacon = ? AND report.sightings_deleted IS NULL ORDER BY report.key DESC
            """
        return try db.rows(sql, [visit.identity.blob]).first { row in
            OpenPeriod(
                missingSince: row.timestamp("missing_since"), closed: row.optionalTimestamp("closed"),
                sightingsUntil: row.optionalTimestamp("sightings_until")
            )
            .overlaps(first: visit.firstSeen, last: visit.lastSeen)
        }
    }

    private func stored(_ row: Row, isNew: Bool, alerts: Int) throws -> StoredVisit {
        let appearance = BikeAppearance(
            kind: try row.choice("kind"), make: row["make"], model: row["model"], colours: try row.colours()
        )
        let isTold: Bool = row["tells_appearance"]
        return StoredVisit(
            appearance: isTold ? appearance : nil, report: try row.id("report_id"), isNew: isNew, alerts: alerts)
    }

    private func audit(_ visit: Visit, _ report: Row) throws {
        try db.audit(
            AuditEvent(
                .sightingStored, by: .station(station.id), at: time, owner: try report.id("owner_id"),
                bike: try report.id("bike_id"), report: try report.id("report_id"), station: station.id,
                details: ["sighting": visit.id.description]
            )
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
                station.key, visit.id.blob, visit.stay.blob, visit.identity.blob, report, time.milliseconds, report,
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
        let row = try db.row(
            """
            SELECT
                (
                    SELECT coalesce(thread, key) FROM sighting WHERE station = ?2 AND stay = ?3 AND report = ?1 LIMIT 1
                ) AS stay,
                EXISTS (SELECT 1 FROM sighting WHERE report = ?1 AND station < ?2)
                    OR EXISTS (SELECT 1 FROM sighting WHERE report = ?1 AND station > ?2) AS others,
                EXISTS (
                    SELECT 1 FROM sighting
                    WHERE report = ?1 AND station = ?2 AND last_seen >= ?4 AND first_seen BETWEEN ?4 AND ?5
                ) AS heard
            """,
            [report, station, visit.stay.blob, hour.lowerBound, hour.upperBound]
        )
        stay = row?["stay"]
        hasOtherStations = row?["others"] ?? false
        wasHeard = row?["heard"] ?? false
    }
}
