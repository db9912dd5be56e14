import RegistryAPI
import RegistryRules

extension AlertRules.History {
    /// The earlier alerts of the candidates' reports, by the keys of the reports. The candidates' sightings have been
    /// stored already.
    static func all(_ db: any Transaction, before candidates: [AlertCandidate]) throws -> [Int64: Self] {
        var histories: [Int64: Self] = [:]
        var (given, latest): (Parameters, Parameters) = ([], [])
        for candidate in candidates {
            guard let last = candidate.part.bike.toldLast else { continue }
            given.append(candidate.part.bike.report, candidate.reported.station.key)
            latest.append(candidate.part.bike.report, last)
        }
        try db.eachColumns(shares, given) { columns in
            let report = columns.integer()
            let isLate = columns.bool()
            let share = AlertRules.StationShare(since: columns.timestamp(), count: Int(columns.integer()))
            if isLate {
                histories[report, default: Self()].late = share
            } else {
                histories[report, default: Self()].station = share
            }
        }
        try db.eachRow(AlertRules.EarlierAlert.latest, latest) { row in
            histories[try row["report_told"], default: Self()].last = try AlertRules.EarlierAlert(row)
        }
        for candidate in candidates {
            let report = candidate.part.bike.report
            let firstSeen = candidate.evidence.firstSeen
            guard let history = histories[report], !history.isHeardLast(firstSeen) else { continue }
            histories[report]?.around = try AlertRules.EarlierAlert.around(candidate, db)
        }
        return histories
    }

    /// How many alerts stations have had for reports, about late visits and about others.
    static let shares = SetStatement(
        given: [("report", .integer), ("station", .integer)],
        """
        SELECT given.report, late, since, alerts FROM given CROSS JOIN alert_share
        WHERE alert_share.report = given.report AND alert_share.station = given.station
        """)
}

extension AlertRules.EarlierAlert {
    private static let columns =
        "\(Sighting.columns), latest.first_seen AS latest_first, latest.last_seen AS latest_last"
    private static let joins = "JOIN sighting ON sighting.key = coalesce(latest.thread, latest.key) \(Sighting.joins)"

    /// The announced sightings with these keys: the first sighting of each thread, with the times of its latest.
    static let latest = SetStatement(
        given: [("report", .integer), ("latest", .integer)],
        """
        SELECT \(columns), given.report AS report_told FROM given CROSS JOIN sighting AS latest \(joins)
        WHERE latest.key = given.latest
        """)

    /// The station's announced sightings next to a new one that was heard before the last announced one: at most one
    /// before it and one after it.
    fileprivate static func around(_ candidate: AlertCandidate, _ db: any Transaction) throws -> [Self] {
        let before = "<= ? ORDER BY latest.last_seen DESC"
        let after = "> ? ORDER BY latest.last_seen"
        return try [before, after].compactMap { condition in
            let sql = """
                SELECT \(columns) FROM sighting AS latest \(joins)
                WHERE latest.report = ? AND latest.station = ? AND latest.key <> ?
                    AND EXISTS (SELECT 1 FROM alert WHERE alert.thread = coalesce(latest.thread, latest.key))
                    AND latest.last_seen \(condition) LIMIT 1
                """
            let row = try db.row(
                sql,
                [
                    candidate.part.bike.report, candidate.reported.station.key, candidate.key,
                    candidate.evidence.lastSeen.milliseconds,
                ])
            return try row.map(Self.init)
        }
    }

    /// Reads a row of the columns above. A dismissed sighting also counts as doubtful. Otherwise a true sighting after
    /// it could join it and cause no alert.
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            thread: try row["key"], place: try row.sightingPlace(reported: try row.place()),
            firstSeen: try row.timestamp("latest_first"), lastSeen: try row.timestamp("latest_last"),
            isDoubtful: try row.hasNonNull("dismissed")
                || AlertRules.isDoubtful(SightingReason.reasons(bits: row["reasons"]))
        )
    }
}
