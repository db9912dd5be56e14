import RegistryAPI
import RegistryRules

/// Judges the sightings of a rotating beacon by their slots, inside the transaction that changes them.
///
/// The result is that of ``Plausibility`` for all sightings of the report, however many there are and however long ago:
/// the witnesses that count are looked up lag by lag. The work does not depend on the number of sightings. If a change
/// affects more of them than ``limit``, the report is queued (``SlotJudgements``).
struct SlotJudgement {
    let db: any Transaction
    /// The report's key.
    let report: Int64
    private let clock: BeaconClock
    /// The first slot in which a sighting of the report can have been heard.
    private let firstSlot: Int64
    /// The lags that the beacon can have had.
    private(set) var lags: KnownLags

    /// How many other sightings one change judges immediately.
    static let limit = 128
    /// How many sightings are read to find these.
    private static let scanned = 1024

    /// The bits of the reasons that follow from slots.
    static let bits = SightingReason.bits([.beaconProved, .replayed])
    /// The bits of the reasons that cast doubt on a sighting by its own data.
    static let doubts = SightingReason.bits([
        .otherPlace, .reportsEverything, .notSeenAtVenue, .quarantined, .unverified,
    ])

    /// Reads the clock of a report’s beacon; nil if the bike has no rotating beacon.
    ///
    /// - Parameter report: the report’s key.
    init?(_ db: any Transaction, report: Int64) throws {
        let sql = """
            SELECT rotating_beacon.lag, rotating_beacon.checked, report.opened
            FROM report JOIN bike ON bike.key = report.bike JOIN rotating_beacon ON rotating_beacon.beacon = bike.beacon
            WHERE report.key = ?
            """
        let known = try db.firstColumns(sql, [report]) { columns in
            (BeaconClock(lag: columns.integer(), checked: columns.timestamp()), columns.timestamp())
        }
        guard let (clock, opened) = known else { return nil }
        self.db = db
        self.report = report
        self.clock = clock
        let earliest = opened.advanced(by: .zero - SightingRules.oldest).advanced(by: .zero - SightingRules.longest)
        firstSlot = RotationRules.slot(at: earliest)
        lags = try ProvedLags(db: db, report: report).known(clock)
    }

    /// A stored sighting of a rotating beacon.
    struct Row {
        let key: Int64
        /// The station's key.
        let station: Int64
        /// The stored reasons.
        var bits: Int64
        let sighting: SlotSighting
    }

    /// Judges sightings by their slots.
    ///
    /// - Parameter changes: the changes of reasons, by key.
    func judge(_ rows: [Row], _ changes: inout [Int64: SightingJudgement.Change]) throws {
        for (row, bits) in zip(rows, try bits(of: rows.map(\.sighting))) {
            var change = changes[row.key] ?? SightingJudgement.Change(before: row.bits, after: row.bits)
            change.after = change.after & ~Self.bits | bits
            changes[row.key] = change
        }
    }

    /// The bits of the reasons that follow from the slots of sightings.
    func bits(of sightings: [SlotSighting]) throws -> [Int64] {
        var given: Parameters = []
        for (place, sighting) in sightings.enumerated() {
            for search in lags.searches(refuting: sighting, since: firstSlot) {
                given.append(place, report, search.lag, search.slots.lowerBound, search.slots.upperBound)
            }
        }
        var heard: [Int: Timestamp] = [:]
        try db.eachColumns(Self.firstHeard, given) { columns in
            let (place, lag) = (Int(columns.integer()), columns.integer())
            guard let first = columns.optionalTimestamp() else { return }
            let time = lags.refutation(firstHeard: first, lag: lag)
            heard[place] = heard[place].map { min($0, time) } ?? time
        }
        return sightings.enumerated().map { place, sighting in
            SightingReason.bits(sighting.reasons(lags, laterHeard: heard[place]))
        }
    }

    /// The first witness in a lag and a span of slots. Witnesses of a station that has been quarantined since are left
    /// out before they are judged again.
    private static let firstHeard = SetStatement(
        given: [
            ("place", .integer), ("report", .integer), ("lag", .integer), ("low", .integer), ("high", .integer),
        ],
        """
        SELECT given.place, given.lag, (
            SELECT min(earliest.first_seen)
            FROM (
                SELECT first_seen, station FROM slot_witness
                WHERE slot_witness.report = given.report AND slot_witness.lag = given.lag
                    AND slot_witness.slot BETWEEN given.low AND given.high
                ORDER BY slot_witness.slot, slot_witness.first_seen LIMIT 64
            ) AS earliest JOIN station ON station.key = earliest.station
            WHERE station.quarantined_since IS NULL OR earliest.first_seen < station.quarantined_since
        )
        FROM given
        """)

    /// Stores which of these sightings are witnesses, and finds the other sightings whose judgement changes with that.
    ///
    /// - Returns: at most ``limit``; nil if there are more.
    mutating func affected(by rows: [Row]) throws -> [Row]? {
        let changes = try SlotWitnesses(db: db, report: report).store(rows)
        guard !changes.isEmpty else { return [] }
        let before = lags
        let unheard = try ProvedLags(db: db, report: report).update(around: changes)
        lags = try ProvedLags(db: db, report: report).known(clock)
        let former = Set(changes.compactMap { $0.before?.lag })
        let moved = before.proved.symmetricDifference(lags.proved)
            .filter { abs($0 - clock.lag) > 1 && (!unheard.contains($0) || former.contains($0)) }
        // A lag that is proved now, or no longer, may affect every sighting of the report.
        guard moved.isEmpty else { return try self.rows(Self.allRows, [report], limit: Self.limit) { _ in true } }
        var found: [Int64: Row] = [:]
        for change in changes {
            guard let rows = try affected(by: change) else { return nil }
            for row in rows { found[row.key] = row }
            if found.count > Self.limit { return nil }
        }
        return found.values.sorted { $0.key < $1.key }
    }

    /// The other sightings that one changed witness affects; nil if more than ``scanned`` must be read to find them.
    private func affected(by change: SlotWitnesses.Change) throws -> [Row]? {
        var found: [Row] = []
        let trusted = change.after.flatMap { lags.isTrusted($0.lag, at: $0.heard) ? $0 : nil }
        if let after = trusted {
            // Sightings up to the slot of a much earlier witness are already refuted by that witness.
            let first = try latestSlot(before: after).map { $0 - 1 } ?? 0
            let rows = try rows(Self.slotRows, [report, first, after.slot - 2], limit: Self.scanned) {
                $0.bits & Self.replayed == 0 && $0.sighting.canBeRefuted(by: after, lags)
            }
            guard let rows else { return nil }
            found += rows
        }
        // Sightings that the former witness refuted may now be right, unless the new one was heard as early.
        if let before = change.before, trusted.map({ $0.firstSeen > before.firstSeen }) ?? true {
            let rows = try rows(Self.slotRows, [report, 0, before.slot - 2], limit: Self.scanned) {
                $0.bits & Self.replayed != 0
            }
            guard let rows else { return nil }
            found += rows
        }
        return found
    }

    private static let replayed = SightingReason.bits([.replayed])

    /// The last slot before the witness's slot in which a trusted witness was heard, long before.
    private func latestSlot(before witness: SlotSighting) throws -> Int64? {
        var given: Parameters = []
        for search in lags.searches(before: witness, since: firstSlot) {
            given.append(report, search.lag, search.slots.lowerBound, search.slots.upperBound)
        }
        var latest: Int64?
        try db.eachColumns(Self.latest, given) { columns in
            guard let slot = columns.optionalInteger() else { return }
            latest = max(latest ?? slot, slot)
        }
        return latest
    }

    private static let latest = SetStatement(
        given: [("report", .integer), ("lag", .integer), ("low", .integer), ("high", .integer)],
        """
        SELECT (
            SELECT max(slot) FROM slot_witness
            WHERE slot_witness.report = given.report AND slot_witness.lag = given.lag
                AND slot_witness.slot BETWEEN given.low AND given.high
        )
        FROM given
        """)
}

// Reading the sightings of a report with slots.
extension SlotJudgement {
    private static let columns = """
        SELECT key, station, reasons, slot, first_seen, last_seen, time_uncertain, dismissed IS NOT NULL FROM sighting

        """
    private static let allRows = columns + "WHERE report = ? AND slot IS NOT NULL ORDER BY slot LIMIT ?"
    private static let slotRows =
        columns + "WHERE report = ? AND slot IS NOT NULL AND slot BETWEEN ? AND ? ORDER BY slot LIMIT ?"
    private static let nextRows =
        columns + "WHERE report = ? AND slot IS NOT NULL AND (slot, key) > (?, ?) ORDER BY slot, key LIMIT ?"

    /// The next sightings of the report after a slot and a key, in the order of slots and keys.
    func rows(after slot: Int64, _ key: Int64, limit: Int) throws -> [Row] {
        var rows: [Row] = []
        try db.eachColumns(Self.nextRows, [report, slot, key, limit]) { rows.append(Row(&$0)) }
        return rows
    }

    /// The matching rows; nil if more than the limit were read.
    private func rows(
        _ sql: String, _ arguments: Parameters, limit: Int, where matches: (Row) -> Bool
    ) throws -> [Row]? {
        var (rows, count): ([Row], Int) = ([], 0)
        try db.eachColumns(sql, [arguments, limit + 1]) { columns in
            let row = Row(&columns)
            count += 1
            if matches(row) { rows.append(row) }
        }
        return count > limit ? nil : rows
    }
}

extension SlotJudgement.Row {
    fileprivate init(_ columns: inout ColumnReader) {
        key = columns.integer()
        station = columns.integer()
        bits = columns.integer()
        let (slot, first, last) = (columns.integer(), columns.timestamp(), columns.timestamp())
        let (isUncertain, isDismissed) = (columns.bool(), columns.bool())
        sighting = SlotSighting(
            slot: slot, firstSeen: first, lastSeen: last, timeUncertain: isUncertain,
            isUndisputed: !isUncertain && !isDismissed && bits & SlotJudgement.doubts == 0)
    }
}
