import RegistryAPI
import RegistryRules

/// The networks of finders whom owners have blocked, as numbers that are valid for one day.
struct FinderBlocks {
    let db: any Transaction

    init(_ db: any Transaction) { self.db = db }

    /// The time after which a number is certainly no longer valid.
    private static let lifetime = Duration.days(1)

    /// Blocks a network for a bike, by the bike’s key.
    func add(_ network: Int64, about bike: Int64, at time: Timestamp) throws {
        try db.run(
            """
            INSERT INTO finder_block (bike, network, time) VALUES (?, ?, ?)
            ON CONFLICT (bike, network) DO UPDATE SET time = excluded.time
            """,
            [bike, network, time.milliseconds])
    }

    /// Whether a network is blocked for a bike; false without a bike.
    func contains(_ network: Int64, about bike: Int64?, at time: Timestamp) throws -> Bool {
        try db.exists(
            "SELECT 1 FROM finder_block WHERE bike = ? AND network = ? AND time > ?",
            [bike, network, time.advanced(by: .zero - Self.lifetime).milliseconds])
    }

    /// Deletes numbers that are no longer valid.
    func deleteOld(limit: Int, at time: Timestamp) throws {
        try db.run(
            """
            DELETE FROM finder_block WHERE (bike, network) IN (
                SELECT bike, network FROM finder_block WHERE time <= ? LIMIT ?
            )
            """,
            [time.advanced(by: .zero - Self.lifetime).milliseconds, limit])
    }
}
