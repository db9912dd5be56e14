import Beacons
package import RegistryAPI
package import RegistryRules

/// Signs of misuse: the facts about open searches that an operator should look at.
package struct SearchSigns {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The maximum number of sightings that are read to count nights; a report has more only if its bike stands among
    /// many stations.
    private static let mostSightings = 5000

    /// Whether a report's search should be examined.
    static let isWaiting = "closed IS NULL AND confirmed IS NULL AND listed = 1 AND signs <> 0"

    static let query = ReportReview.query + "WHERE \(isWaiting) AND report.id > ? ORDER BY report.id LIMIT ?"

    /// Searches with signs and without a confirmed reference, in the order of their reports.
    package func page(_ page: PageRequest<ReportID>) throws -> StoredPage<SearchToCheck, ReportID> {
        let after = page.after ?? ReportID(high: 0, low: 0)
        return try db.rows(Self.query, [after.blob, page.limit + 1]).map(SearchToCheck.init)
            .page(limit: page.limit, cursor: \.report.id)
    }

    /// Examines a search that has just begun.
    func note(_ report: ReportID, at time: Timestamp) throws {
        let rows = try db.rows(Self.examined + "WHERE report.id = ?", [report.blob])
        for row in rows { try examine(row, at: time) }
    }

    /// Examines the searches that were last examined at least ``MisuseRules/interval`` ago.
    ///
    /// - Returns: the number of searches.
    package func note(limit: Int, at time: Timestamp) throws -> Int {
        let due = Self.examined + "WHERE closed IS NULL AND signs_due <= ? LIMIT ?"
        let rows = try db.rows(due, [time.milliseconds, limit])
        for row in rows { try examine(row, at: time) }
        return rows.count
    }

    private static let examined = """
        SELECT report.key, bike.owner, known, new_beacon FROM report
        JOIN bike ON bike.key = report.bike JOIN owner ON owner.key = bike.owner

        """

    /// Stores the signs of a search, and when it is examined next.
    ///
    /// - Parameter report: a row of ``examined``.
    private func examine(_ report: StoredRow, at time: Timestamp) throws {
        let key: Int64 = try report["key"]
        // By owner: beacons can be exchanged between an owner's bikes.
        let recentReports = try db.integer(
            "SELECT count(*) FROM bike JOIN report ON report.bike = bike.key WHERE bike.owner = ? AND opened > ?",
            [try report["owner"] as Int64, time.advanced(by: .zero - MisuseRules.reportsSpan).milliseconds])
        let (count, nights) = (Int(clamping: recentReports ?? 0), try nights(of: key, at: time))
        let signs = MisuseRules.signs(
            isNew: try report["new_beacon"], reports: report.hasNonNull("known") ? 0 : count, nights: nights)
        try db.run(
            "UPDATE report SET signs = ?, lately = ?, nights = ?, signs_due = ? WHERE key = ?",
            [
                SearchToCheck.Sign.bits(of: signs), count, nights.mostAtOneStation,
                time.advanced(by: MisuseRules.interval).milliseconds, key,
            ])
    }

    /// The nights in which stations heard a report’s bike lately.
    private func nights(of report: Int64, at time: Timestamp) throws -> StationNights {
        // A mobile station reports its place; any other station is where it was enrolled.
        let sql = """
            SELECT station, first_seen, last_seen, coalesce(longitude, (
                SELECT longitude FROM station_place WHERE station = sighting.station ORDER BY since DESC LIMIT 1
            ), 0.0) AS longitude
            FROM sighting WHERE report = ? AND last_seen > ? LIMIT \(Self.mostSightings)
            """
        var nights = StationNights()
        let since = time.advanced(by: .zero - MisuseRules.nightsSpan)
        for row in try db.rows(sql, [report, since.milliseconds]) {
            nights.add(
                station: try row["station"], longitude: try row["longitude"], from: try row.timestamp("first_seen"),
                until: try row.timestamp("last_seen"))
        }
        return nights
    }
}

extension SearchToCheck {
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            owner: try row.id("owner_id"), report: try ReportReview(row), signs: Sign.signs(bits: try row["signs"]),
            reports: try row["lately"], nights: try row["nights"])
    }
}

extension SearchToCheck.Sign {
    /// As `report.signs` stores them: each has the bit of its place among all.
    fileprivate static func bits(of signs: [Self]) -> Int64 {
        allCases.indices.reduce(0) { $0 | (signs.contains(allCases[$1]) ? 1 << Int64($1) : 0) }
    }

    fileprivate static func signs(bits: Int64) -> [Self] {
        allCases.indices.filter { bits & 1 << Int64($0) != 0 }.map { allCases[$0] }
    }
}
