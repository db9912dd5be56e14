import RegistryRules

/// The lags of a report’s rotating beacon that stations prove together (``KnownLags``), as rows. They follow from the
/// witnesses (``SlotWitnesses``).
struct ProvedLags {
    let db: any Transaction
    /// The report's key.
    let report: Int64

    /// The proved lags nearest to that of the last check.
    ///
    /// - Parameter clock: the beacon’s clock at that check.
    func known(_ clock: BeaconClock) throws -> KnownLags {
        var proved: [Int64] = []
        for sql in [Self.less, Self.greater] {
            try db.eachColumns(sql, [report, clock.lag, KnownLags.limit]) { proved.append($0.integer()) }
        }
        return KnownLags(clock, proved: proved)
    }

    private static let less =
        "SELECT lag FROM slot_lag WHERE report = ? AND lag < ? ORDER BY lag DESC LIMIT ?"
    private static let greater =
        "SELECT lag FROM slot_lag WHERE report = ? AND lag > ? ORDER BY lag LIMIT ?"

    /// The stored facts about a lag. Three slots are enough to count up to three.
    private struct Facts {
        var isProved = false
        var stations: Set<Int64> = []
        var slots: Set<Int64> = []
    }

    /// Decides again which lags are proved around changed witnesses.
    ///
    /// - Returns: the lags around them that have no witnesses.
    func update(around changes: [SlotWitnesses.Change]) throws -> Set<Int64> {
        // A lag is proved by witnesses of it and of both lags next to it.
        let changed = Set(changes.flatMap { [$0.before?.lag, $0.after?.lag].compactMap(\.self) })
        let near = Set(changed.flatMap { $0 - 1...$0 + 1 })
        var given: Parameters = []
        for lag in Set(near.flatMap { $0 - 1...$0 + 1 }).sorted() { given.append(report, lag) }
        var facts: [Int64: Facts] = [:]
        try db.eachColumns(Self.facts, given) { columns in
            let lag = columns.integer()
            var found = Facts()
            found.isProved = columns.bool()
            for _ in 1...2 { if let station = columns.optionalInteger() { found.stations.insert(station) } }
            for _ in 1...3 { if let slot = columns.optionalInteger() { found.slots.insert(slot) } }
            facts[lag] = found
        }
        var added: Parameters = []
        for lag in near.sorted() {
            let around = (lag - 1...lag + 1).compactMap { facts[$0] }
            let stations = around.reduce(into: Set<Int64>()) { $0.formUnion($1.stations) }
            let slots = around.reduce(into: Set<Int64>()) { $0.formUnion($1.slots) }
            let isProved = stations.count >= KnownLags.stations && slots.count >= KnownLags.slots
            guard isProved != facts[lag]?.isProved else { continue }
            if isProved {
                added.append(report, lag)
            } else {
                try db.run("DELETE FROM slot_lag WHERE report = ? AND lag = ?", [report, lag])
            }
        }
        try db.run(Self.insertion, added)
        return Set(facts.filter { $0.value.slots.isEmpty }.keys)
    }

    private static let pair: SetStatement.Columns = [("report", .integer), ("lag", .integer)]
    private static let witnesses =
        "FROM slot_witness WHERE slot_witness.report = given.report AND slot_witness.lag = given.lag"

    /// For a lag: whether it is proved, two of its stations, and three of its slots; an index finds each without
    /// reading others.
    private static let facts = SetStatement(
        given: pair,
        """
        SELECT given.lag,
            EXISTS (SELECT 1 FROM slot_lag WHERE slot_lag.report = given.report AND slot_lag.lag = given.lag),
            (SELECT min(station) \(witnesses)), (SELECT max(station) \(witnesses)),
            (SELECT min(slot) \(witnesses)), (SELECT max(slot) \(witnesses)),
            (SELECT min(slot) \(witnesses) AND slot > (SELECT min(slot) \(witnesses)))
        FROM given
        """)

    private static let insertion = SetStatement(
        given: pair,
        "INSERT INTO slot_lag (report, lag) SELECT report, lag FROM given WHERE TRUE ON CONFLICT DO NOTHING")
}
