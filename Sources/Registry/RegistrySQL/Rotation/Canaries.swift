import Beacons
package import RegistryAPI
package import RegistryRules

/// The identity on the missing list that no beacon has: a station that reports it repeats the list.
package struct Canaries {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Whether there is a canary that was placed at most ``life`` ago, and not in the future, as by a clock that was
    /// ahead.
    package func isFresh(at time: Timestamp) throws -> Bool {
        let oldest = time.advanced(by: .zero - Self.life).milliseconds
        return try db.exists(
            "SELECT 1 FROM canary WHERE placed BETWEEN ? AND ?", [oldest, time.milliseconds])
    }

    /// How long a canary stays on the list. It changes, because bikes come and go, too.
    private static let life = Duration.days(30)

    /// Puts a new canary on the missing list in place of the previous one, unless that is fresh.
    ///
    /// - Parameter fewest: the number of bikes that must be missing, so that the canary does not stand out.
    /// - Returns: whether the list has one now.
    package func place(
        from allocation: IdentityAllocation, ifMissing fewest: Int, at time: Timestamp, using entropy: Entropy
    ) throws -> Bool {
        guard try !isFresh(at: time) else { return true }
        let sql =
            "SELECT count(*) FROM (SELECT 1 FROM report WHERE closed IS NULL AND listed = 1 LIMIT \(fewest)) AS counted"
        guard try db.integer(sql, []) ?? 0 >= fewest else { return false }
        let beacon = try Identities(db).take(from: .allocated(allocation, entropy), at: time)
        try db.run(
            "INSERT INTO missing_list_touched (beacon) SELECT beacon FROM canary WHERE TRUE ON CONFLICT DO NOTHING", [])
        try db.run("DELETE FROM canary", [])
        try db.run("INSERT INTO canary (key, beacon, placed) VALUES (1, ?, ?)", [beacon, time.milliseconds])
        try db.run("INSERT INTO missing_list_touched (beacon) VALUES (?) ON CONFLICT DO NOTHING", [beacon])
        return true
    }

    /// Records that a station reported the canary, by the station’s key.
    func note(by station: Int64, at time: Timestamp) throws {
        try db.run(
            """
            INSERT INTO canary_report (station, first, last, reports) VALUES (?1, ?2, ?2, 1)
            ON CONFLICT (station) DO UPDATE SET last = excluded.last, reports = canary_report.reports + 1
            """,
            [station, time.milliseconds])
    }

    /// The number of stations in use that reported the canary.
    func reporters() throws -> Int {
        let sql = """
            SELECT count(*) FROM canary_report JOIN station ON station.key = canary_report.station
            WHERE station.revoked IS NULL
            """
        return Int(clamping: try db.integer(sql, []) ?? 0)
    }

    /// The beacons among these that are the canary, and whether the station has reported it before.
    static let reported = SetStatement(
        given: [("place", .integer), ("beacon", .blob), ("station", .integer)],
        """
        SELECT given.place, EXISTS (SELECT 1 FROM canary_report WHERE canary_report.station = given.station)
        FROM given CROSS JOIN canary WHERE canary.beacon = given.beacon
        """)
}
