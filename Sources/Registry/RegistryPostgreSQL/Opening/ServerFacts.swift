package import PostgreSQL
import RegistryAPI
package import RegistryRules

/// What a registry needs to know about a PostgreSQL server before using it.
package struct ServerFacts: Hashable, Sendable {
    /// `server_version_num`, as in 150018 for 15.18.
    package var version: Int64
    package var encoding: String
    /// What a commit waits for, such as `on`: the disk, and a standby's disk if there is a synchronous one.
    package var synchronousCommit: String
    /// Which standbys a commit waits for; empty without synchronous ones.
    package var synchronousStandbyNames: String
    /// `on` if the server waits until data is on the disk. Without it, a power loss can damage the database.
    package var fsync: String
    /// `on` if the log has the whole of each page that changes. Without it, a page that was half written when the power
    /// failed cannot be repaired.
    package var fullPageWrites: String
    /// The server's clock minus this machine's: the smallest difference that the reply allows, since the clock was read
    /// at an unknown moment between the query and the arrival of the reply.
    package var clockDifference: Duration

    /// Asks the server, and compares its clock with this machine's.
    ///
    /// - Throws: ``PostgreSQLOpenError/refused(_:)`` if the server does not report one of them, and what the connection
    ///   throws.
    package static func read(from connection: Connection, clock: WallClock) throws -> ServerFacts {
        let sql = """
            SELECT current_setting('server_version_num')::bigint, current_setting('server_encoding'),
                current_setting('synchronous_commit'), current_setting('synchronous_standby_names'),
                current_setting('fsync'), current_setting('full_page_writes'),
                floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
            """
        // The first time prepares the statement; the second one takes only the way there and back.
        try connection.run(sql)
        var facts: ServerFacts?
        let before = clock.now
        try connection.visit(sql) { row in
            let after = clock.now
            guard let version = row.integer(0), let encoding = row.text(1), let synchronousCommit = row.text(2),
                let standbyNames = row.text(3), let fsync = row.text(4), let fullPageWrites = row.text(5),
                let serverTime = row.integer(6)
            else { return false }
            let nearestOwnTime = min(max(serverTime, before.milliseconds), after.milliseconds)
            let difference = serverTime - nearestOwnTime
            facts = ServerFacts(
                version: version, encoding: encoding, synchronousCommit: synchronousCommit,
                synchronousStandbyNames: standbyNames, fsync: fsync, fullPageWrites: fullPageWrites,
                clockDifference: .milliseconds(difference))
            return false
        }
        guard let facts else { throw PostgreSQLOpenError.refused("it does not report its settings") }
        return facts
    }
}

extension ServerFacts {
    /// The oldest version that is tested.
    private static let oldestVersion: Int64 = 150_000
    /// How far the server's clock may be from this machine's.
    private static let clockTolerance = Duration.seconds(1)

    /// The reason why a registry must not use this server; nil if it may.
    package func obstacle(_ durability: Durability) -> PostgreSQLOpenError? {
        if version < Self.oldestVersion { return .oldServer(version: version) }
        if encoding != "UTF8" { return .encoding(encoding) }
        if let risk = risk(durability) { return risk }
        let distance: Duration = max(clockDifference, .zero - clockDifference)
        return distance > Self.clockTolerance ? .clock(difference: clockDifference) : nil
    }

    /// Why the server could lose what it confirms; nil if it keeps it.
    func risk(_ durability: Durability) -> PostgreSQLOpenError? {
        if fsync != "on" { return .unsafe(setting: "fsync", value: fsync) }
        if fullPageWrites != "on" { return .unsafe(setting: "full_page_writes", value: fullPageWrites) }
        if durability == .standby, synchronousStandbyNames.isEmpty { return .noSynchronousStandby }
        // Without a standby `local` and `remote_write` wait for the disk, too.
        let sufficient = ["on", "remote_apply"] + (durability == .single ? ["local", "remote_write"] : [])
        return sufficient.contains(synchronousCommit) ? nil : .notDurable(synchronousCommit: synchronousCommit)
    }
}
