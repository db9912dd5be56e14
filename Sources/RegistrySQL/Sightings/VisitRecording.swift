import Evidence
import Foundation
package import Registry
package import RegistryAPI

/// Records the visits of one station inside a transaction.
package struct VisitRecording {
    let db: any Transaction
    let station: RecordingStation
    let time: Timestamp
    let entropy: Entropy

    package init(_ db: any Transaction, station: RecordingStation, time: Timestamp, entropy: Entropy) {
        self.db = db
        self.station = station
        self.time = time
        self.entropy = entropy
    }

    /// Records each visit independently of the others, in the given order.
    package func record(_ visits: [Visit]) throws -> [RecordedVisit] {
        var entries = PendingEntries(first: try AuditTrail(db).nextIndex())
        let recorded = try visits.map { try record($0, &entries) }
        try AuditTrail(db).append(entries)
        return recorded
    }

    /// Stores each part of a visit with the report under which the bike was missing at that time. Only the last part
    /// causes an alert, so that a visit causes at most one.
    private func record(_ visit: Visit, _ entries: inout PendingEntries) throws -> RecordedVisit {
        var known: [Int64: StoredRow] = [:]
        for row in try db.rows(Self.known, [station.key, visit.id]) {
            guard try row["beacon"] == visit.identity.blob else { return .contradicts(field: "identity") }
            guard try row["stay"] == visit.stay.blob else { return .contradicts(field: "stay") }
            known[try row["report"]] = row
        }
        var bikes = try MissingBike.all(db, at: visit)
        if known.keys.contains(where: { key in !bikes.contains { $0.report == key } }) {
            // After a station's clock is set, the times may differ; or the beacon may have moved to another bike.
            let others = known.keys.filter { key in !bikes.contains { $0.report == key } }
            bikes = try (bikes + others.map { try MissingBike(db, ofReport: $0) }).sorted { $0.report < $1.report }
        }
        if bikes.isEmpty, try proves(visit, &entries) { return .proved }
        let parts = bikes.compactMap { bike in bike.period.part(of: visit).map { (bike, $0) } }
        var recorded = RecordedVisit.ignored
        for (index, (bike, part)) in parts.enumerated() {
            let isLast = index == parts.count - 1
            let stored =
                if let row = known[bike.report] { try merge(part, into: row, of: bike, &entries) } else {
                    try add(part, of: bike, isTold: isLast, &entries)
                }
            recorded = .stored(stored)
        }
        return recorded
    }

    private static let known = "SELECT * FROM sighting WHERE station = ? AND visit = ?"

    private func add(
        _ visit: Visit, of bike: MissingBike, isTold: Bool, _ entries: inout PendingEntries
    ) throws -> StoredVisit {
        let surroundings = try Surroundings(db, of: visit, report: bike.report, station: station.key)
        let isCounted = isTold && !surroundings.wasHeard
        let (sighting, news) = try insert(visit, of: bike, surroundings, isCounted: isCounted, &entries)
        var alerts = news
        if isTold {
            alerts += try SightingAlerts(db: db, time: time, entropy: entropy)
                .queue(sighting, stay: surroundings.stay, of: bike)
        }
        return StoredVisit(
            appearance: bike.appearance, report: bike.reportID, isNew: true, alerts: alerts,
            isMissing: !bike.period.isOver(at: time))
    }

    private func merge(
        _ visit: Visit, into row: StoredRow, of bike: MissingBike, _ entries: inout PendingEntries
    ) throws -> StoredVisit {
        let before = try VisitObservation(row)
        let after = merged(before, with: VisitObservation(visit), in: bike.period)
        var news = 0
        if after != before {
            let key: Int64 = try row["key"]
            if row.hasNonNull("entry"), after.isGrowth(of: before), !after.ended {
                try grow(key, of: bike.report, from: before, to: after)
            } else if try isChanged(row, of: bike, before: entries) {
                try keepChanged(key, of: bike.report, to: after)
            } else {
                let salt = (try row["salt"] as Data?).map { [UInt8]($0) } ?? AuditTrail.newSalts(1)[0]
                let record = record(of: visit, bike, received: try row.timestamp("received"), after)
                let entry = entries.append(event(.sightingChanged, visit, bike, record.digest(salt: salt)))
                try update(key, of: bike.report, to: after, salt: salt, entry: entry)
            }
            let first = min(before.firstSeen, after.firstSeen)
            let span = first.milliseconds...max(first, before.lastSeen, after.lastSeen).milliseconds
            news = try SightingJudgement(db: db, report: bike.report, time: time).update(around: span, of: key).news
        }
        return StoredVisit(
            appearance: bike.appearance, report: bike.reportID, isNew: false, alerts: news,
            isMissing: !bike.period.isOver(at: time))
    }

    /// Whether somebody has changed a recorded sighting. A new entry must not make the change look valid.
    private func isChanged(_ row: StoredRow, of bike: MissingBike, before entries: PendingEntries) throws -> Bool {
        // The audit contains this transaction's records only at its end.
        guard let entry: Int64 = try row["entry"], entry < entries.first else { return false }
        guard let sighting = try? RecordedSighting(row, station: station.id, report: bike.reportID) else { return true }
        return try !CommittedContents(db).isAsRecorded(sighting)
    }

    /// The merged observation after a further report of the visit. After the report's period, only the end of the visit
    /// is taken over.
    private func merged(
        _ before: VisitObservation, with told: VisitObservation, in period: OpenPeriod
    ) -> VisitObservation {
        let after = before.merged(with: told)
        guard period.isOver(at: time), after.firstSeen == before.firstSeen, after.lastSeen == before.lastSeen else {
            return after
        }
        var ended = before
        ended.ended = after.ended
        return ended
    }

    private func record(
        of visit: Visit, _ bike: MissingBike, received: Timestamp, _ observation: VisitObservation
    ) -> SightingRecord {
        SightingRecord(
            visit.id, stay: visit.stay, beacon: visit.identity, station: station.id, report: bike.reportID,
            received: received, observation
        )
    }

    private func event(
        _ action: AuditAction, _ visit: Visit, _ bike: MissingBike, _ digest: HashValue
    ) -> AuditEvent {
        AuditEvent(
            action, by: .station(station.id), at: time, owner: bike.ownerID, bike: bike.bikeID,
            report: bike.reportID, station: station.id, details: SightingRecord.details(of: visit.id, digest)
        )
    }
}

extension VisitRecording {
    /// Stores a new sighting with its own reasons, and judges it if other stations also reported the bike.
    ///
    /// - Returns: the stored sighting, and the number of alerts with updates to other sightings.
    private func insert(
        _ visit: Visit, of bike: MissingBike, _ surroundings: Surroundings, isCounted: Bool,
        _ entries: inout PendingEntries
    ) throws -> (NewSighting, news: Int) {
        let (report, observation) = (bike.report, VisitObservation(visit))
        let salt = AuditTrail.newSalts(1)[0]
        let digest = record(of: visit, bike, received: time, observation).digest(salt: salt)
        let entry = entries.append(event(.sightingStored, visit, bike, digest))
        let hour = try ReportingHour(db, station: station.key, of: visit.firstSeen).count(unless: !isCounted)
        let evidence = try station.evidence(visit.id, observation, reportsEverything: hour.reportsEverything)
        let reasons = Plausibility.reasons(of: [evidence])[0]
        try db.run(
            Self.insertion,
            [
                station.key, visit.id, visit.stay, visit.identity, report, time.milliseconds, report,
                SightingReason.bits(reasons), salt, entry,
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
            station, visit, stay, beacon, report, received, revision, reasons, salt, entry, \(VisitObservation.columns)
        ) VALUES (
            ?, ?, ?, ?, ?, ?, \(SightingJudgement.nextRevision), ?, ?, ?, \(marks)
        )
        """

    private static let marks = Array(repeating: "?", count: VisitObservation.columnCount).joined(separator: ", ")

    /// Changes a sighting and records the change in the audit.
    private func update(
        _ key: Int64, of report: Int64, to observation: VisitObservation, salt: [UInt8], entry: Int64
    ) throws {
        try db.run(
            """
            UPDATE sighting SET (\(VisitObservation.columns)) = (\(Self.marks)),
                revision = \(SightingJudgement.nextRevision), salt = ?, entry = ?, recorded = NULL, grown = NULL
            WHERE key = ?
            """,
            observation.arguments + [report, salt, entry, key]
        )
    }

    /// Changes a sighting that does not match its record, and leaves the record for `audit verify` to find.
    private func keepChanged(_ key: Int64, of report: Int64, to observation: VisitObservation) throws {
        try db.run(
            """
            UPDATE sighting SET (\(VisitObservation.columns)) = (\(Self.marks)),
                revision = \(SightingJudgement.nextRevision)
            WHERE key = ?
            """,
            observation.arguments + [report, key]
        )
    }

    /// Changes a sighting during its visit, and keeps the recorded values.
    private func grow(
        _ key: Int64, of report: Int64, from before: VisitObservation, to after: VisitObservation
    ) throws {
        try db.run(
            """
            UPDATE sighting SET (\(VisitObservation.columns)) = (\(Self.marks)),
                revision = \(SightingJudgement.nextRevision), recorded = coalesce(recorded, ?), grown = coalesce(grown, ?)
            WHERE key = ?
            """,
            after.arguments + [report, Growth(before).text, time.milliseconds, key]
        )
    }
}

/// The sightings around a new visit, found by one query.
private struct Surroundings {
    /// The first sighting that the station reported of the same stay; nil if there is none.
    let stay: Int64?
    /// Whether other stations have reported the bike.
    let hasOtherStations: Bool
    /// Whether the station reported the bike earlier in this hour.
    let wasHeard: Bool

    init(_ db: any Transaction, of visit: Visit, report: Int64, station: Int64) throws {
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
        let arguments: Parameters = [report, station, visit.stay, hour.lowerBound, hour.upperBound]
        (stay, hasOtherStations, wasHeard) =
            try db.firstColumns(sql, arguments) { ($0.optionalInteger(), $0.bool(), $0.bool()) } ?? (nil, false, false)
    }
}
