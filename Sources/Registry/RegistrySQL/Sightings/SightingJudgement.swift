import RegistryAPI
import RegistryRules

/// Judges sightings by those around them, and by the slots of a rotating beacon (``SlotJudgement``), inside the
/// transaction that changes them. If a change takes trust from a sighting, others are judged later (``ReportJudgements``).
///
/// The work is bounded (``NeighbourBounds``): only each station's nearest sightings before and after count, and stations
/// beyond the limits do not. This loses little, because anything consistent with a station's nearest sightings is also
/// consistent with those farther away.
struct SightingJudgement {
    let db: any Transaction
    /// The report's key.
    let report: Int64
    /// The time of the change.
    let time: Timestamp

    /// Judges a new or a changed sighting and those around it, and stores the changes.
    ///
    /// - Parameters:
    ///   - span: from the first to the last moment of the sighting, both before and after the change, in milliseconds.
    ///   - key: the key of the sighting.
    func update(around span: ClosedRange<Int64>, of key: Int64, isNew: Bool) throws -> Outcome {
        let (neighbours, period) = try neighbourhood(of: span, around: key)
        // A new one only adds to what single sightings say of others. A changed one may also say less.
        let comparesAll = !isNew && neighbours.count <= Self.comparedWithAll
        let changed = neighbours.firstIndex { $0.key == key }
        let reasons = Plausibility.stationReasons(
            of: neighbours.indices, in: neighbours.map(\.evidence), changed: comparesAll ? nil : changed)
        var changes: [Int64: Change] = [:]
        // Those that can now be used to judge others, or no longer can.
        var doubted: [Judged] = []
        var mayOthersChange = !isNew && !comparesAll
        for (judged, reasons) in zip(neighbours, reasons) {
            var after = SightingReason.bits(reasons) | judged.bits & SlotJudgement.bits
            guard judged.key == key || judged.isNear(span) else {
                // It is too far away for everything but a round, which this one may have broken.
                let wasInRound = judged.bits & ~after & Self.byRound != 0
                mayOthersChange = mayOthersChange || (wasInRound && judged.lies(within: period))
                continue
            }
            if judged.key != key {
                if !comparesAll { after |= judged.bits & Self.byOne }
                // Sightings that were not compared may be why it has another reason. But one is enough for these, so no
                // station can keep others from confirming or refuting it by many sightings in between.
                if !judged.lies(within: period) { after = judged.bits | after & Self.byOne }
            }
            changes[judged.key] = Change(before: judged.bits, after: after)
            if judged.key == key || (judged.bits ^ after) & SlotJudgement.doubts != 0 { doubted.append(judged) }
        }
        if mayOthersChange { try ReportJudgements(db).beginIfFew(report, around: span, at: time) }
        try judgeSlots(of: doubted, &changes)
        return try store(changes, of: key)
    }

    /// The most sightings of which each is compared with all.
    static let comparedWithAll = 128

    /// Judges sightings, each by those around it and by its slot, and stores the changes.
    ///
    /// - Parameters:
    ///   - rows: with `key`, `first_seen` and `last_seen`.
    ///   - limit: how many sightings may be compared before the work ends early; one is judged in any case.
    /// - Returns: how many were judged, and whether the judgement of any sighting changed.
    func judgeAlone(_ rows: [StoredRow], comparing limit: Int) throws -> (count: Int, hasChanged: Bool) {
        var judged: [Judged] = []
        var changes: [Int64: Change] = [:]
        var compared = 0
        for row in rows where compared < limit {
            let result = try stationBits(of: row["key"], around: Self.span(of: [row]))
            let (sighting, bits) = (result.judged, result.judged.bits & SlotJudgement.bits)
            changes[sighting.key] = Change(before: sighting.bits, after: result.bits | bits)
            judged.append(sighting)
            compared += result.compared
        }
        try judgeSlots(of: judged, &changes)
        return (judged.count, try store(changes).hasChanged)
    }

    /// Begins to judge again what these sightings have confirmed or disputed, since they are no longer trusted. What
    /// follows from the slots of the first two is judged immediately.
    ///
    /// - Parameter rows: with `key`, `first_seen` and `last_seen`. A partner can send many with one identifier.
    func distrust(_ rows: [StoredRow]) throws {
        guard !rows.isEmpty else { return }
        try ReportJudgements(db).begin(report, around: Self.span(of: rows), at: time)
        let keys = try rows.prefix(2).map { try $0["key"] as Int64 }
        var changes: [Int64: Change] = [:]
        try judgeSlots(of: try keys.flatMap { try self.rows(Judged.query + "WHERE sighting.key = ?", [$0]) }, &changes)
        _ = try store(changes)
    }

    /// From the first to the last moment of sightings, in milliseconds.
    ///
    /// - Parameter rows: with `first_seen` and `last_seen`; at least one.
    static func span(of rows: [StoredRow]) throws -> ClosedRange<Int64> {
        let first = try rows.map { try $0["first_seen"] as Int64 }.min() ?? 0
        return first...max(first, try rows.map { try $0["last_seen"] as Int64 }.max() ?? 0)
    }

    /// The reasons that one other sighting is enough for, whichever others there are.
    private static let byOne = SightingReason.bits([.otherVenue, .tooFast])
    /// The reason that several others are needed for.
    private static let byRound = SightingReason.bits([.tooManyHops])

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
            outcome.news += try SightingNews(db: db).announce(
                SightingReason.level(bits: change.after), of: judged, at: time)
        }
        return outcome
    }

    /// The reasons for a stored sighting based on the sightings around it now, as bits.
    ///
    /// - Parameter row: a row of ``Sighting/columns``.
    func bits(of row: StoredRow) throws -> Int64 {
        let (judged, bits, _) = try stationBits(of: row["key"], around: Self.span(of: [row]))
        guard let slot = judged.slot, let slots = try SlotJudgement(db, report: report) else { return bits }
        return bits | (try slots.bits(of: [slot])[0])
    }

    /// A sighting, the reasons for it that do not follow from slots, as bits, and the number of sightings compared.
    private func stationBits(
        of key: Int64, around span: ClosedRange<Int64>
    ) throws -> (judged: Judged, bits: Int64, compared: Int) {
        let (neighbours, _) = try neighbourhood(of: span, around: key)
        guard let index = neighbours.firstIndex(where: { $0.key == key }) else { throw CorruptRow(column: "key") }
        let reasons = Plausibility.stationReasons(of: index, in: neighbours.map(\.evidence))
        return (neighbours[index], SightingReason.bits(reasons), neighbours.count)
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
    private func neighbourhood(of span: ClosedRange<Int64>, around key: Int64) throws -> ([Judged], CompletePeriod) {
        let range = Self.range(around: span)
        let end = range.upperBound + 1
        let times: Parameters = [report, range.lowerBound, span.upperBound + 1, end]
        var stations: [NeighbourBounds.Station] = []
        try db.eachColumns(Neighbours.counts, times) { stations.append(NeighbourBounds.Station(&$0)) }
        var period = CompletePeriod()
        var judged: [Judged] = []
        // The sightings of a single station, which is usual, do not affect each other, except by slots.
        if !stations.isEmpty {
            let bounds = NeighbourBounds(stations)
            let quarantines = bounds.countsQuarantined ? Int64.min : end
            let (own, ofPartner) = (bounds.own, bounds.ofPartner)
            judged = try rows(
                Neighbours.rows[db.dialect],
                [times, own.perSide, ofPartner.perSide, own.stations, ofPartner.stations, quarantines])
            for sightings in Dictionary(grouping: judged, by: \.station).values {
                let limit = bounds.share(of: sightings[0].partner).perSide
                period.narrow(sightings, around: span.upperBound, limit: limit)
            }
        }
        // A station that reports the same moment many times could hide one of its sightings behind the others.
        if !judged.contains(where: { $0.key == key }) {
            judged += try rows(Judged.query + "WHERE sighting.key = ?", [key])
        }
        return (judged, period)
    }

    /// When sightings that affect those affected by a span were last heard. A single visit lasts at most one day.
    static func range(around span: ClosedRange<Int64>) -> ClosedRange<Int64> {
        let day = Int64(Plausibility.horizon / .milliseconds(1))
        return (span.lowerBound - 3 * day)...(span.upperBound + 4 * day)
    }

    /// The sightings that a statement with ``Judged/columns`` finds.
    private func rows(_ sql: String, _ arguments: Parameters) throws -> [Judged] {
        var rows: [Judged] = []
        try db.eachColumns(sql, arguments) { rows.append(try Judged(&$0)) }
        return rows
    }
}

extension SightingJudgement {
    /// The period for which the sightings of all stations are complete.
    struct CompletePeriod {
        /// The first and the last moment, in milliseconds.
        private(set) var lower = Int64.min
        private(set) var upper = Int64.max

        /// Leaves out the times of which a station may have further sightings.
        ///
        /// - Parameters:
        ///   - sightings: of the station, its nearest around a moment.
        ///   - limit: how many of them can be before the moment, and how many after it.
        mutating func narrow(_ sightings: [Judged], around moment: Int64, limit: Int) {
            let before = sightings.filter { $0.evidence.lastSeen.milliseconds <= moment }
            let after = sightings.filter { $0.evidence.lastSeen.milliseconds > moment }
            if before.count == limit, let first = before.min(by: { $0.evidence.lastSeen < $1.evidence.lastSeen }) {
                lower = max(lower, first.evidence.firstSeen.milliseconds)
            }
            if after.count == limit, let last = after.map(\.evidence.lastSeen).max() {
                upper = min(upper, last.milliseconds)
            }
        }
    }
}
