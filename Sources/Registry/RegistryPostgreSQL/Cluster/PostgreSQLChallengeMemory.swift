package import PostgreSQL
import RegistryAPI
package import RegistryRules

/// The memory of passkeys' challenges that all processes of a registry share. It is in UNLOGGED tables, which
/// PostgreSQL empties after a crash. On a promoted standby they are empty, so a failover ends all challenges.
package struct PostgreSQLChallengeMemory: ChallengeMemory {
    private let pool: ConnectionPool
    private let clock: WallClock
    private let entropy: Entropy

    /// The maximum number of challenges that are used within their lifetime.
    private static let limit: Int64 = 1 << 16

    package init(pool: ConnectionPool, clock: WallClock = .system, entropy: Entropy = .system) {
        self.pool = pool
        self.clock = clock
        self.entropy = entropy
    }

    /// The key that all processes share. The first one proposes it.
    package func key() async throws -> [UInt8] {
        let generator = entropy
        let proposed = (0..<4).flatMap { _ in
            let word: UInt64 = generator.next()
            return withUnsafeBytes(of: word) { Array($0) }
        }
        return try await answering { connection in
            let insert = "INSERT INTO challenge_key (key, secret) VALUES (1, $1) ON CONFLICT DO NOTHING"
            var secret = try Self.secret(connection)
            if secret == nil {
                try connection.run(insert, [.bytes(proposed)])
                secret = try Self.secret(connection)
            }
            return secret ?? proposed
        }
    }

    /// The stored key; nil if there is none yet.
    private static func secret(_ connection: Connection) throws -> [UInt8]? {
        var secret: [UInt8]?
        try connection.visit("SELECT secret FROM challenge_key") { row in
            secret = Array(row.blob(0))
            return false
        }
        return secret
    }

    /// The time in seconds since 1970. The start checks keep this clock close to the database’s.
    package func now() -> Int64 { clock.now.milliseconds / 1000 }

    /// Uses a challenge; false if it was used before.
    ///
    /// - Parameter deadline: when the challenge expires, in seconds since 1970.
    /// - Throws: `overloaded` if too many were used within their lifetime.
    package func use(nonce: [UInt8], until deadline: Int64) async throws -> Bool {
        let now = now()
        return try await answering { connection in
            try connection.run("DELETE FROM used_challenge WHERE deadline < $1", [.integer(now)])
            let count = try connection.integer("SELECT count(*) FROM used_challenge")
            guard count ?? 0 < Self.limit else { throw DomainError.overloaded }
            let insert = "INSERT INTO used_challenge (nonce, deadline) VALUES ($1, $2) ON CONFLICT DO NOTHING"
            return try connection.run(insert, [.bytes(nonce), .integer(deadline)]) == 1
        }
    }

    /// Lets a challenge be used again.
    package func release(nonce: [UInt8]) async throws {
        try await answering { _ = try $0.run("DELETE FROM used_challenge WHERE nonce = $1", [.bytes(nonce)]) }
    }

    /// Runs a statement; errors of the database become those of the store.
    private func answering<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await StoreErrors.translating { try await pool.use(body) }
    }
}
