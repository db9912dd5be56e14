import RegistryAPI
import RegistryRules

/// The sightings of a report, judged in memory from what was heard and from their stations alone: without the stored
/// reasons, and without the tables that are derived from sightings (``SlotWitnesses``, ``ProvedLags``).
///
/// So a change of the stored reasons does not affect an evidence pack, and `audit verify` detects it.
struct ReportJudgement {
    /// The maximum number of sightings that are compared in memory.
    static let limit = 20_000

    typealias Judged = SightingJudgement.Judged

    /// All sightings by their keys.
    let sightings: [Int64: Judged]
    /// The sightings of each station, those that were last heard earliest first; the stations in the order of their keys.
    private let stations: [[Judged]]
    /// The reasons that follow from slots, by the keys of the sightings.
    private let slots: [Int64: Set<SightingReason>]
    /// Whether the report's sightings can be judged by slots: the bike still has a rotating beacon.
    private let knowsClock: Bool
    /// Whether the stored reasons that follow from slots must equal the current result. A check of a beacon judges only
    /// the sightings of an open report again.
    private let isOpen: Bool

    /// What is computed about a sighting, with reasons as bits (``SightingReason/bits(_:)``).
    struct Outcome {
        /// The reasons that follow from the sightings.
        let bits: Int64
        /// The other values that the stored reasons may have; nil if they may have any.
        let stored: Set<Int64>?
    }

    /// Reads all sightings of a report; nil if it has more than ``limit``.
    ///
    /// - Parameter report: the report’s key.
    init?(_ db: any Transaction, report: Int64) throws {
        let sql = """
            SELECT report.closed IS NULL, rotating_beacon.lag, rotating_beacon.checked
            FROM report JOIN bike ON bike.key = report.bike
            LEFT JOIN rotating_beacon ON rotating_beacon.beacon = bike.beacon
            WHERE report.key = ?
            """
        let facts = try db.firstColumns(sql, [report]) { columns in
            (
                isOpen: columns.bool(),
                clock: columns.optionalInteger().map { BeaconClock(lag: $0, checked: columns.timestamp()) }
            )
        }
        var stations: [[Judged]] = []
        var count = 0
        try db.eachColumns(Self.query, [report, Self.limit + 1]) { columns in
            let judged = try Judged(&columns)
            count += 1
            if stations.last?.first?.station != judged.station { stations.append([]) }
            stations[stations.count - 1].append(judged)
        }
        guard count <= Self.limit else { return nil }
        self.stations = stations
        sightings = Dictionary(stations.joined().map { ($0.key, $0) }) { first, _ in first }
        isOpen = facts?.isOpen ?? false
        knowsClock = facts?.clock != nil
        slots = Self.slotReasons(of: Array(sightings.values), facts?.clock)
    }

    private static let query =
        Judged.query + """
            WHERE sighting.report = ? ORDER BY sighting.station, sighting.last_seen, sighting.key LIMIT ?
            """

    /// The reasons that follow from slots; empty if the beacon's clock is not known.
    private static func slotReasons(of judged: [Judged], _ clock: BeaconClock?) -> [Int64: Set<SightingReason>] {
        guard let clock else { return [:] }
        let evidence = judged.map { judged in
            var evidence = judged.evidence
            evidence.slot = judged.slot.map { HeardSlot(slot: $0.slot, clock: clock) }
            return evidence
        }
        return Dictionary(zip(judged.map(\.key), Plausibility.slotReasons(of: evidence))) { first, _ in first }
    }

    /// The reasons of one of the report’s sightings, and what may be stored of them.
    func outcome(of judged: Judged) -> Outcome {
        let (neighbours, isSparse) = neighbourhood(of: judged)
        let bits = bits(of: judged, among: neighbours)
        guard isSparse, neighbours.allSatisfy(\.isMarkedInTime) else { return Outcome(bits: bits, stored: nil) }
        let mustSlotsAgree = judged.slot == nil || (isOpen && knowsClock)
        // The bits that may have any stored value.
        let freeBits: Int64 = mustSlotsAgree ? 0 : SlotJudgement.bits
        // A round that takes more than a day is seen only with the sighting that completes it.
        let near = self.bits(of: judged, among: neighbours.filter { $0.isNear(judged.span) })
        let stored = [bits, near].map { ($0 & ~freeBits) | (judged.bits & freeBits) }
        return Outcome(bits: bits, stored: Set(stored))
    }

    /// The reasons of a sighting among the sightings that it is judged by, as bits.
    private func bits(of judged: Judged, among neighbours: [Judged]) -> Int64 {
        let place = neighbours.firstIndex { $0.key == judged.key } ?? 0
        let reasons = Plausibility.stationReasons(of: place, in: neighbours.map(\.evidence))
        if judged.slot != nil, !knowsClock {
            // Without the clock, only the doubt remains.
            return SightingReason.bits(reasons) | judged.bits & SightingReason.bits([.replayed])
        }
        return SightingReason.bits(reasons.union(slots[judged.key] ?? []))
    }

    /// The sightings that a sighting is judged by (``SightingJudgement``), and whether they are so few that each change of
    /// one compares all of them. Otherwise the stored reasons depend on which sightings came last.
    private func neighbourhood(of judged: Judged) -> (neighbours: [Judged], isSparse: Bool) {
        guard stations.count > 1 else { return ([judged], true) }
        let (span, range) = (judged.span, SightingJudgement.range(around: judged.span))
        let sides = stations.prefix(NeighbourBounds.stationLimit).map {
            sightings -> (before: [Judged], after: [Judged]) in
            let middle = Self.index(in: sightings, after: span.upperBound)
            return (
                before: sightings[..<middle].suffix(NeighbourBounds.sideLimit)
                    .filter { $0.span.upperBound >= range.lowerBound },
                after: sightings[middle...].prefix(NeighbourBounds.sideLimit)
                    .filter { $0.span.upperBound <= range.upperBound }
            )
        }
        let bounds = NeighbourBounds(sides.map { (before: $0.before.count, after: $0.after.count) })
        var neighbours: [Judged] = []
        for (before, after) in sides.prefix(bounds.stations) {
            neighbours += before.suffix(bounds.perSide)
            neighbours += after.prefix(bounds.perSide)
        }
        if !neighbours.contains(where: { $0.key == judged.key }) { neighbours.append(judged) }
        let isSparse =
            stations.count <= NeighbourBounds.stationLimit && areFew(around: span)
            && sides.allSatisfy { $0.before.count + $0.after.count < NeighbourBounds.sideLimit }
        return (neighbours, isSparse)
    }

    /// Whether all sightings within a week before or after are so few that they were compared at each change that
    /// affects this one: these changes are at most two days away, and compare sightings of four more days.
    private func areFew(around span: ClosedRange<Int64>) -> Bool {
        let weekInMilliseconds: Int64 = 7 * 86_400_000
        let count = stations.reduce(0) { count, sightings in
            count + Self.index(in: sightings, after: span.upperBound + weekInMilliseconds)
                - Self.index(in: sightings, after: span.lowerBound - weekInMilliseconds)
        }
        return count <= NeighbourBounds.limit
    }

    /// The index of the first sighting that was last heard after a time.
    private static func index(in sightings: [Judged], after time: Int64) -> Int {
        var (low, high) = (0, sightings.count)
        while low < high {
            let middle = (low + high) / 2
            if sightings[middle].span.upperBound <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension SightingJudgement.Judged {
    /// Whether it was judged again when its station was found to report everything: it is looked up by its identifier.
    fileprivate var isMarkedInTime: Bool {
        let hour = ReportingHours.Hour(station: station, of: evidence.firstSeen)
        return !evidence.marks.contains(.reportsEverything) || hour.visits.contains(evidence.visit)
    }
}
