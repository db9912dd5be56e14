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
    /// The same by the stations' registries: this one (0) and partners.
    private let registries: [Int64: [[Judged]]]
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
        registries = Dictionary(grouping: stations) { $0.first?.partner ?? 0 }
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
        guard isSparse else { return Outcome(bits: bits, stored: nil) }
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
        let nearby = registries.flatMap { Self.nearby(judged.span, at: $1, of: $0) }
        let bounds = NeighbourBounds(nearby.map(\.station))
        var neighbours = nearby.flatMap { $0.compared(bounds) }
        if !neighbours.contains(where: { $0.key == judged.key }) { neighbours.append(judged) }
        // To find a registry's stations, Neighbours may also look at those of others.
        let areAllFound = registries.allSatisfy { partner, ofPartner in
            ofPartner.count <= NeighbourBounds.stationLimit(of: partner)
                && stations.count < NeighbourBounds.searchLimit(of: partner)
        }
        let isSparse =
            areAllFound && areFew(around: judged.span)
            && nearby.allSatisfy { $0.sightings.count < NeighbourBounds.sideLimit }
        return (neighbours, isSparse)
    }

    /// A station's sightings around a moment.
    private struct Nearby {
        let station: NeighbourBounds.Station
        let sightings: ArraySlice<Judged>
        /// The index of the first one after the moment.
        let middle: Int
        /// The index of the first one under quarantine.
        let until: Int

        /// Those that are compared.
        func compared(_ bounds: NeighbourBounds) -> ArraySlice<Judged> {
            let share = bounds.share(of: station.partner)
            guard station.place < share.stations else { return [] }
            let end = bounds.countsQuarantined ? sightings.endIndex : until
            let middle = min(middle, end)
            return sightings[..<middle].suffix(share.perSide) + sightings[middle..<end].prefix(share.perSide)
        }
    }

    /// The sightings of a registry's stations around the end of a span, as ``Neighbours`` finds them.
    ///
    /// - Parameters:
    ///   - stations: the registry's stations.
    ///   - partner: the key of the partner; 0 for this registry.
    private static func nearby(
        _ span: ClosedRange<Int64>, at stations: [[Judged]], of partner: Int64
    ) -> [Nearby] {
        let range = SightingJudgement.range(around: span)
        let sideLimit = NeighbourBounds.sideLimit
        var found: [Nearby] = []
        var place = 0
        for all in stations.reversed().prefix(NeighbourBounds.searchLimit(of: partner)) {
            guard place < NeighbourBounds.stationLimit(of: partner) else { break }
            let begin = index(in: all[...]) { $0.span.upperBound >= range.lowerBound }
            let end = index(in: all[begin...], after: range.upperBound)
            let sightings = all[begin..<end]
            let middle = index(in: sightings, after: span.upperBound)
            let until = index(in: sightings) { $0.evidence.marks.contains(.quarantined) }
            let station = NeighbourBounds.Station(
                partner: partner, place: place, before: min(min(middle, until) - begin, sideLimit),
                after: min(max(until - middle, 0), sideLimit), quarantined: min(end - until, 2 * sideLimit))
            found.append(Nearby(station: station, sightings: sightings, middle: middle, until: until))
            if until > begin { place += 1 }
        }
        return found
    }

    /// Whether all sightings within a week before or after are so few that each was compared with all at each change that
    /// affects this one: these changes are at most two days away, and compare sightings of four more days.
    private func areFew(around span: ClosedRange<Int64>) -> Bool {
        let weekInMilliseconds: Int64 = 7 * 86_400_000
        let count = stations.reduce(0) { count, sightings in
            count + Self.index(in: sightings[...], after: span.upperBound + weekInMilliseconds)
                - Self.index(in: sightings[...], after: span.lowerBound - weekInMilliseconds)
        }
        return count <= SightingJudgement.comparedWithAll
    }

    /// The index of the first sighting that was last heard after a time.
    private static func index(in sightings: ArraySlice<Judged>, after time: Int64) -> Int {
        index(in: sightings) { $0.span.upperBound > time }
    }

    /// The index of the first sighting for which a condition holds that also holds for all sightings after it.
    private static func index(in sightings: ArraySlice<Judged>, where condition: (Judged) -> Bool) -> Int {
        var (low, high) = (sightings.startIndex, sightings.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if condition(sightings[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
