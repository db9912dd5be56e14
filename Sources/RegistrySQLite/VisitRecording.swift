import Foundation
import GRDB
import Registry
import RegistryAPI

/// Records the visits of one station inside a transaction.
struct VisitRecording {
    let db: Database
    let station: Int64
    let time: Timestamp
    let entropy: Entropy

    func record(_ visit: Visit) throws -> RecordedVisit {
        if let row = try db.row(Self.known, [station, visit.id.blob]) { return try merge(visit, into: row) }
        guard let report = try report(for: visit) else { return .ignored }
        let continues = try db.exists(
            "SELECT 1 FROM sighting WHERE station = ? AND stay = ? AND report = ?",
            [station, visit.stay.blob, report["report"] as Int64]
        )
        try insert(visit, report: report["report"])
        let sighting = db.lastInsertedRowID
        // A very long stay is cut into visits; its owner knows of it from the first.
        let alerts =
            continues
            ? 0 : try db.queueAlerts(.sighting(sighting), toOwner: report["owner"], at: time, using: entropy)
        return .stored(try stored(report, isNew: true, alerts: alerts))
    }

    private static let bikeColumns = """
        bike.owner, bike.kind, bike.make, bike.model, bike.colours, report.key AS report, report.id AS report_id,
        report.missing_since, report.closed
        """

    private static let known = """
        SELECT sighting.*, \(bikeColumns)
        FROM sighting JOIN report ON report.key = sighting.report JOIN bike ON bike.key = report.bike
        WHERE sighting.station = ? AND sighting.visit = ?
        """

    private func merge(_ visit: Visit, into row: Row) throws -> RecordedVisit {
        guard row["beacon"] == visit.identity.blob else { return .contradicts(field: "identity") }
        guard row["stay"] == visit.stay.blob else { return .contradicts(field: "stay") }
        let before = try VisitObservation(row)
        let after = before.merged(with: VisitObservation(visit))
        if after != before { try update(row["key"], to: after) }
        return .stored(try stored(row, isNew: false, alerts: 0))
    }

    /// The report under which the bike was missing at the visit's time, the one that opened last among several.
    private func report(for visit: Visit) throws -> Row? {
        let sql = """
            SELECT \(Self.bikeColumns) FROM bike JOIN report ON report.bike = bike.key
            WHERE bike.beacon = ? ORDER BY report.key DESC
            """
        return try db.rows(sql, [visit.identity.blob]).first { row in
            OpenPeriod(missingSince: row.timestamp("missing_since"), closed: row.optionalTimestamp("closed"))
                .overlaps(first: visit.firstSeen, last: visit.lastSeen)
        }
    }

    private func stored(_ row: Row, isNew: Bool, alerts: Int) throws -> StoredVisit {
        let appearance = BikeAppearance(
            kind: try row.choice("kind"), make: row["make"], model: row["model"], colours: try row.colours()
        )
        return StoredVisit(appearance: appearance, report: try row.id("report_id"), isNew: isNew, alerts: alerts)
    }

    private func insert(_ visit: Visit, report: Int64) throws {
        let observation = VisitObservation(visit)
        let identity: [any DatabaseValueConvertible] = [
            station, visit.id.blob, visit.stay.blob, visit.identity.blob, report, time.milliseconds,
        ]
        try db.run(Self.insertion, StatementArguments(identity) + observation.arguments)
    }

    private static let insertion = {
        let columns = ["station", "visit", "stay", "beacon", "report", "received"]
        let marks = Array(repeating: "?", count: columns.count + VisitObservation.columnCount).joined(separator: ", ")
        let names = columns.joined(separator: ", ") + ", " + VisitObservation.columns
        return "INSERT INTO sighting (\(names)) VALUES (\(marks))"
    }()

    private func update(_ key: Int64, to observation: VisitObservation) throws {
        let marks = Array(repeating: "?", count: VisitObservation.columnCount).joined(separator: ", ")
        try db.run(
            "UPDATE sighting SET (\(VisitObservation.columns)) = (\(marks)) WHERE key = ?",
            observation.arguments + [key]
        )
    }
}
