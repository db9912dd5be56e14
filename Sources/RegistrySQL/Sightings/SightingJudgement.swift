import Foundation
import Registry
import RegistryAPI

/// Judges sightings by those around them, inside the transaction that changes them.
///
/// The work is bounded: of each station the nearest sightings before and after count, and stations beyond the limit do
/// not. Few are lost: what fits with a station's nearest sightings fits with its farther ones, too.
struct SightingJudgement {
    let db: any Transaction
    /// The report's key.
    let report: Int64
    /// Of the change.
    let time: Timestamp

    private static let stationLimit = 256
    private static let neighbourLimit = 8

    /// A stored sighting as it is judged.
    struct Judged {
        let key: Int64
        let bits: Int64
        let evidence: SightingEvidence

        private static let horizon = Int64(Plausibility.horizon / .milliseconds(1))

        /// Whether what happened in the span can bear on it.
        func isNear(_ span: ClosedRange<Int64>) -> Bool {
            evidence.lastSeen.milliseconds >= span.lowerBound - Self.horizon
                && evidence.firstSeen.milliseconds <= span.upperBound + Self.horizon
        }

        func lies(within times: Known) -> Bool {
            times.lower <= evidence.firstSeen.milliseconds && evidence.lastSeen.milliseconds <= times.upper
        }
    }

    /// The times between which no station's sightings are missing.
    struct Known {
        var lower = Int64.min
        var upper = Int64.max
    }

    /// Judges again the sightings that one at these times bears on, and keeps what has changed.
    ///
    /// - Parameters:
    ///   - span: from the first to the last moment of the sighting that changed, before and after the change together.
    ///   - key: the sighting that changed.
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

    /// The reasons that a stored sighting has by those around it now, as bits.
    ///
    /// - Parameter row: of ``Sighting/columns``.
    func bits(of row: StoredRow) throws -> Int64 {
        let first: Int64 = try row["first_seen"]
        let key: Int64 = try row["key"]
        let (neighbours, _) = try neighbourhood(of: first...max(first, try row["last_seen"]), around: key)
        guard let index = neighbours.firstIndex(where: { $0.key == key }) else { throw CorruptRow(column: "key") }
        return SightingReason.bits(Plausibility.reasons(of: neighbours.map(\.evidence))[index])
    }

    /// What judging again has brought about.
    struct Outcome {
        /// Whether any sighting is judged otherwise now.
        var hasChanged = false
        /// The reasons of the sighting that changed, where they are others now.
        var reasons: Set<SightingReason>?
        /// Alerts that tell of it.
        var news = 0
    }

    /// The number of a report's next change; takes the report's key.
    static let nextRevision = "(SELECT coalesce(max(revision), 0) + 1 FROM sighting WHERE report = ?)"

    /// The sightings to judge by, that which is judged among them, and between which times they are complete.
    private func neighbourhood(of span: ClosedRange<Int64>, around key: Int64) throws -> ([Judged], Known) {
        let day = Int64(Plausibility.horizon / .milliseconds(1))
        // What bears on what bears on the span; visits themselves last a day at most.
        let range = (span.lowerBound - 3 * day)...(span.upperBound + 4 * day)
        var known = Known()
        var judged: [Judged] = []
        for station in try stations() {
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
        // A station that tells of the same moment many times over could hide one of them behind the others.
        if !judged.contains(where: { $0.key == key }) {
            judged += try rows(Self.query + "WHERE sighting.key = ?", [key])
        }
        return (judged, known)
    }

    private func rows(_ sql: String, _ arguments: Parameters) throws -> [Judged] {
        try db.rows(sql, arguments).map(Judged.init)
    }

    /// The stations that have told of the report: one look into the index for each, however many sightings there are.
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
