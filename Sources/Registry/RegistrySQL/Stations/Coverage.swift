import Foundation
package import RegistryAPI
import RegistryRules

/// What stations heard in quarters of an hour: one row for each station and day in UTC. A parameter `station` of type
/// `Int64` is a station’s key.
package struct Coverage {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Stores the quarters that are new and neither in the future nor too old.
    ///
    /// - Returns: how many of them were stored, ignored and contradicted.
    func record(_ quarters: [CoverageQuarter], of station: Int64, at time: Timestamp) throws -> CoverageReceipt {
        var receipt = CoverageReceipt(stored: 0, ignored: quarters.count)
        let acceptable = CoverageRules.acceptable(quarters, at: time)
        for (day, new) in Dictionary(grouping: acceptable, by: { CalendarDate($0.begins) }) {
            // A damaged row is replaced, since otherwise the station could send no heartbeat until the day is over.
            let known = try packed(day, of: station).flatMap { PackedCoverage.quarters(in: $0, of: day) }
            let (all, stored, contradicted) = CoverageRules.adding(new, to: known ?? [])
            receipt.contradicted += contradicted
            guard stored > 0 else { continue }
            try db.run(
                """
                INSERT INTO station_coverage (station, day, quarters) VALUES (?, ?, ?)
                ON CONFLICT (station, day) DO UPDATE SET quarters = excluded.quarters
                """,
                [station, day.day, Data(PackedCoverage.bytes(of: all))]
            )
            receipt.stored += stored
            receipt.ignored -= stored
        }
        return receipt
    }

    /// What a station heard on a day; without quarters if it sent none.
    ///
    /// - Throws: `notFound`.
    package func day(_ day: CalendarDate, of station: StationID) throws -> StationCoverage {
        guard let packed = try packed(day, of: try Stations(db).key(of: station)) else {
            return StationCoverage(day: day, quarters: [])
        }
        return StationCoverage(day: day, quarters: try Self.quarters(packed, of: day))
    }

    /// The quarters of a station from one day to another, in the order of time, and the number of days whose rows are
    /// damaged.
    func quarters(
        of station: Int64, from first: CalendarDate, to last: CalendarDate
    ) throws -> (quarters: [CoverageQuarter], damaged: Int) {
        let sql = "SELECT day, quarters FROM station_coverage WHERE station = ? AND day BETWEEN ? AND ? ORDER BY day"
        let days = try db.rows(sql, [station, first.day, last.day]).map { row in
            PackedCoverage.quarters(in: try row["quarters"] as Data, of: CalendarDate(day: try row["day"]))
        }
        return (days.compactMap(\.self).flatMap(\.self), days.count { $0 == nil })
    }

    /// Deletes rows that are too old; returns their number, at most the limit.
    package func deleteOld(limit: Int, at time: Timestamp) throws -> Int {
        try db.run(
            "DELETE FROM station_coverage WHERE key IN (SELECT key FROM station_coverage WHERE day < ? LIMIT ?)",
            [CoverageRules.firstDay(at: time).day, limit]
        )
        return db.changesCount
    }

    /// The row of a day as it is stored; nil if there is none.
    private func packed(_ day: CalendarDate, of station: Int64) throws -> Data? {
        try db.row("SELECT quarters FROM station_coverage WHERE station = ? AND day = ?", [station, day.day])
            .map { try $0["quarters"] }
    }

    /// Unpacks a row.
    ///
    /// - Throws: ``CorruptRow`` if it is damaged.
    private static func quarters(_ packed: Data, of day: CalendarDate) throws -> [CoverageQuarter] {
        guard let quarters = PackedCoverage.quarters(in: packed, of: day) else { throw CorruptRow(column: "quarters") }
        return quarters
    }
}
