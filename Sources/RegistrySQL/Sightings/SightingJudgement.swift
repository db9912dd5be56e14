import Foundation
import Registry
import RegistryAPI

/// Judges sightings by those around them, inside the transaction that changes them.
///
/// The work is bounded: only each station's nearest sightings before and after count, and stations beyond the limit do
/// not. This loses little, because anything consistent with a station's nearest sightings is also consistent with those
/// farther away.
struct SightingJudgement {
    let db: any Transaction
    /// The report's key.
    let report: Int64
    /// The time of the change.
    let time: Timestamp

    private static let stationLimit = 256
    private static let neighbourLimit = 8

    /// A stored sighting with the facts by which it is judged.
    struct Judged {
        let key: Int64
        let bits: Int64
        let evidence: SightingEvidence

        private static let horizon = Int64(Plausibility.horizon / .milliseconds(1))

        /// Whether events in the span can affect its judgement.
        func isNear(_ span: ClosedRange<Int64>) -> Bool {
            evidence.lastSeen.milliseconds >= span.lowerBound - Self.horizon
                && evidence.firstSeen.milliseconds <= span.upperBound + Self.horizon
        }

        func lies(within times: Known) -> Bool {
            times.lower <= evidence.firstSeen.milliseconds && evidence.lastSeen.milliseconds <= times.upper
        }
    }

    /// The period for which the sightings of all stations are complete.
    struct Known {
        var lower = Int64.min
        var upper = Int64.max
    }

    /// Judges again the sightings that a sighting at these times affects, and stores the changes.
    ///
    /// - Parameters:
    ///   - span: from the first to the last moment of the changed sighting, both before and after the change.
    ///   - key: the changed sighting.
    @discardableResult
    func update(around span: ClosedRange<Int64>, of key: Int64) throws -> Outcome {
        let (neighbours, known) = try neighbourhood(of: span, around: key)
        let reasons = Plausibility.reasons(of: neighbours.map(\.evidence)).map(SightingReason.bits)
        var outcome = Outcome()
        for (judged, bits) in zip(neighbours, reasons) where judged.bits != bits {
            guard judged.key == key || judged.isNear(span) && judged.lies(within: known) else { continue }
            try db.run(
                "UPDATE sighting SET reasons = ?, revision = \(Self.nextRevision) WHERE key = ?",
                [bits, report, judged.key]
            )
            outcome.hasChanged = true
            if judged.key == key { outcome.reasons = Set(SightingReason.reasons(bits: bits)) }
            outcome.news += try SightingNews(db).queue(of: judged.key, bits: bits, at: time)
        }
        return outcome
    }

    /// The reasons for a stored sighting based on the sightings around it now, as bits.
    ///
    /// - Parameter row: a row of ``Sighting/columns``.
    func bits(of row: StoredRow) throws -> Int64 {
        let first: Int64 = try row["first_seen"]
        let key: Int64 = try row["key"]
        let (neighbours, _) = try neighbourhood(of: first...max(first, try row["last_seen"]), around: key)
        guard let index = neighbours.firstIndex(where: { $0.key == key }) else { throw CorruptRow(column: "key") }
        return SightingReason.bits(Plausibility.reasons(of: neighbours.map(\.evidence))[index])
    }

    /// The result of judging again.
    struct Outcome {
        /// Whether the judgement of any sighting changed.
        var hasChanged = false
        /// The new reasons of the changed sighting; nil if they are unchanged.
        var reasons: Set<SightingReason>?
        /// The number of alerts about the change.
        var news = 0
    }

    /// The number of a report's next change. Parameter: the report's key.
    static let nextRevision = "(SELECT coalesce(max(revision), 0) + 1 FROM sighting WHERE report = ?)"

    /// The sightings to judge by, including the judged one, and the period for which they are complete.
    private func neighbourhood(of span: ClosedRange<Int64>, around key: Int64) throws -> ([Judged], Known) {
        let day = Int64(Plausibility.horizon / .milliseconds(1))
        // Include sightings that affect those affected by the span. A single visit lasts at most one day.
        let range = (span.lowerBound - 3 * day)...(span.upperBound + 4 * day)
        var known = Known()
        var judged: [Judged] = []
        let stations = try stations()
        // The sightings of a single station, which is usual, do not affect each other.
        guard stations.count > 1 else { return (try rows(Self.query + "WHERE sighting.key = ?", [key]), known) }
        for station in stations {
            let before = try rows(Self.before, [report, station, range.lowerBound, span.upperBound])
            let after = try rows(Self.after, [report, station, span.upperBound, range.upperBound])
            if before.count == Self.neighbourLimit, let first = before.last {
                known.lower = max(known.lower, first.evidence.firstSeen.milliseconds)
            }
            if after.count == Self.neighbourLimit, let last = after.last {
                known.upper = min(known.upper, last.evidence.lastSeen.milliseconds)
            }
            judged += before + after
        }
        // A station that reports the same moment many times could hide one of its sightings behind the others.
        if !judged.contains(where: { $0.key == key }) {
            judged += try rows(Self.query + "WHERE sighting.key = ?", [key])
        }
        return (judged, known)
    }

    private func rows(_ sql: String, _ arguments: Parameters) throws -> [Judged] {
        try db.rows(sql, arguments).map(Judged.init)
    }

    /// The stations that have reported the bike: one index look-up per station, however many sightings there are.
    private func stations() throws -> [Int64] {
        let sql = """
            WITH RECURSIVE teller (station) AS (
                SELECT min(station) FROM sighting WHERE report = ?1
                UNION ALL
                SELECT (SELECT min(station) FROM sighting WHERE report = ?1 AND station > teller.station)
                FROM teller WHERE teller.station IS NOT NULL
            )
            SELECT station FROM teller WHERE station IS NOT NULL LIMIT \(Self.stationLimit)
            """
        return try db.rows(sql, [report]).map { try $0["station"] }
    }

    private static let query = """
        SELECT \(Sighting.columns), hour.reports_everything AS reports_everything
        FROM sighting \(Sighting.joins)
        LEFT JOIN station_hour AS hour
            ON hour.station = sighting.station AND hour.hour = sighting.first_seen / \(ReportingShare.window)

        """

    private static let before =
        query + """
            WHERE sighting.report = ? AND sighting.station = ? AND sighting.last_seen >= ? AND sighting.last_seen <= ?
            ORDER BY sighting.last_seen DESC LIMIT \(neighbourLimit)
            """

    private static let after =
        query + """
            WHERE sighting.report = ? AND sighting.station = ? AND sighting.last_seen > ? AND sighting.last_seen <= ?
            ORDER BY sighting.last_seen LIMIT \(neighbourLimit)
            """
}

extension SightingJudgement.Judged {
    fileprivate init(_ row: StoredRow) throws {
        let observation = try VisitObservation(row)
        let isMobile: Bool = try row["station_mobile"]
        var marks: SightingEvidence.Marks = []
        if try row.isQuarantined { marks.insert(.quarantined) }
        if row.hasNonNull("dismissed") { marks.insert(.dismissed) }
        if try row["station_app"] { marks.insert(.unverified) }
        if try row["reports_everything"] ?? false { marks.insert(.reportsEverything) }
        self.init(
            key: try row["key"], bits: try row["reasons"],
            evidence: SightingEvidence(
                visit: try row.id("visit"), station: try row.id("station_id"), venue: try row["station_venue"],
                place: try row.sightingPlace(said: observation.place),
                claimedPlace: isMobile ? nil : observation.place, firstSeen: observation.firstSeen,
                lastSeen: observation.lastSeen, timeUncertain: observation.timeUncertain,
                answer: observation.confirmation?.answer, marks: marks
            )
        )
    }
}
