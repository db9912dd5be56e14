import Foundation
import RegistryAPI
import RegistryRules

/// Judges sightings by those around them, and by the slots of a rotating beacon (``SlotJudgement``), inside the
/// transaction that changes them.
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

    static let stationLimit = 256
    static let neighbourLimit = 8

    /// A stored sighting with the facts that decide its judgement.
    struct Judged {
        let key: Int64
        let station: Int64
        let bits: Int64
        let evidence: SightingEvidence
        /// The sighting's evidence about its rotating beacon's clock; nil if the beacon does not rotate.
        let slot: SlotSighting?

        private static let horizon = Int64(Plausibility.horizon / .milliseconds(1))

        /// From its first to its last moment.
        var span: ClosedRange<Int64> {
            let first = evidence.firstSeen.milliseconds
            return first...max(first, evidence.lastSeen.milliseconds)
        }

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
        let reasons = Plausibility.stationReasons(of: neighbours.map(\.evidence)).map(SightingReason.bits)
        var changes: [Int64: Change] = [:]
        // Those that can now be used to judge others, or no longer can.
        var doubted: [Judged] = []
        for (judged, bits) in zip(neighbours, reasons) {
            guard judged.key == key || judged.isNear(span) && judged.lies(within: known) else { continue }
            let after = bits | judged.bits & SlotJudgement.bits
            changes[judged.key] = Change(before: judged.bits, after: after)
            if judged.key == key || (judged.bits ^ after) & SlotJudgement.doubts != 0 { doubted.append(judged) }
        }
        try judgeSlots(of: doubted, &changes)
        return try store(changes, of: key)
    }

    /// The reasons of a sighting as bits: the stored ones, and the new ones.
    struct Change {
        let before: Int64
        var after: Int64
    }

    /// Judges sightings of a rotating beacon by their slots, and those that are judged by them.
    private func judgeSlots(of sightings: [Judged], _ changes: inout [Int64: Change]) throws {
        let rows = sightings.compactMap { judged in
            judged.slot.map {
                SlotJudgement.Row(key: judged.key, station: judged.station, bits: judged.bits, sighting: $0)
            }
        }
        guard !rows.isEmpty else { return }
        guard var slots = try SlotJudgement(db, report: report) else {
            for row in rows { changes[row.key]?.after &= ~SlotJudgement.bits }
            return
        }
        let affected = try slots.affected(by: rows)
        if affected == nil { try SlotJudgements(db).begin(report, at: time) }
        let keys = Set(rows.map(\.key))
        try slots.judge(rows + (affected ?? []).filter { !keys.contains($0.key) }, &changes)
    }

    /// Stores changed reasons.
    ///
    /// - Parameter key: the changed sighting.
    func store(_ changes: [Int64: Change], of key: Int64? = nil) throws -> Outcome {
        var outcome = Outcome()
        for (judged, change) in changes.sorted(by: { $0.key < $1.key }) where change.before != change.after {
            try db.run(
                "UPDATE sighting SET reasons = ?, revision = \(Self.nextRevision) WHERE key = ?",
                [change.after, report, judged]
            )
            outcome.hasChanged = true
            if judged == key { outcome.reasons = Set(SightingReason.reasons(bits: change.after)) }
            outcome.news += try SightingNews(db).queue(of: judged, bits: change.after, at: time)
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
        let bits = SightingReason.bits(Plausibility.stationReasons(of: neighbours.map(\.evidence))[index])
        guard let slot = neighbours[index].slot, let slots = try SlotJudgement(db, report: report) else { return bits }
        return bits | (try slots.bits(of: [slot])[0])
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
        let range = Self.range(around: span)
        var known = Known()
        var judged: [Judged] = []
        let stations = try stations()
        // The sightings of a single station, which is usual, do not affect each other, except by slots.
        guard stations.count > 1 else {
            return (try rows(Self.query + "WHERE sighting.key = ?", [key]), known)
        }
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

    /// When sightings that affect those affected by a span were last heard. A single visit lasts at most one day.
    static func range(around span: ClosedRange<Int64>) -> ClosedRange<Int64> {
        let day = Int64(Plausibility.horizon / .milliseconds(1))
        return (span.lowerBound - 3 * day)...(span.upperBound + 4 * day)
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

    /// Sightings as ``Judged/init(_:)`` reads them.
    static let query = """
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
    /// Reads a row of ``SightingJudgement/query``.
    init(_ row: StoredRow) throws {
        var marks: SightingEvidence.Marks = []
        if try row.isQuarantined { marks.insert(.quarantined) }
        if row.hasNonNull("dismissed") { marks.insert(.dismissed) }
        if try row["station_app"] { marks.insert(.unverified) }
        // The counts of old hours are deleted; the doubt stays.
        let bits: Int64 = try row["reasons"]
        let wasTooMuch = bits & SightingReason.bits([.reportsEverything]) != 0
        if try row["reports_everything"] ?? wasTooMuch { marks.insert(.reportsEverything) }
        let evidence = SightingEvidence(
            try Visit(row), at: try row.id("station_id"), venue: try row["station_venue"],
            standing: try row.enrolledPlace(), isMobile: try row["station_mobile"], marks: marks)
        self.init(
            key: try row["key"], station: try row["station"], bits: bits, evidence: evidence,
            slot: (try row["slot"] as Int64?).map(evidence.slotSighting)
        )
    }
}
