import GRDB
import RegistryAPI
import RegistryRules
import RegistrySQLiteTestSupport
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistrySQL
@testable import RegistrySQLite

@Suite("The cache of tokens")
struct TokenCacheTests {
    private let folder: TemporaryFolder
    private let store: SQLiteRegistryStore
    private let token = SecretDigest(of: "token")
    private let owner = NewOwner(
        id: OwnerID(high: 1, low: 2), created: HandClock().now,
        token: NewToken(
            OwnerToken(id: TokenID(high: 1, low: 3), name: "first", scope: .manage, created: HandClock().now),
            digest: SecretDigest(of: "token")
        )
    )

    init() async throws {
        folder = try TemporaryFolder()
        store = try SQLiteRegistryStore(newAt: folder.file("registry.sqlite"))
    }

    /// Looks the token up twice. The second result is from the cache.
    private func isKnown() async throws -> Bool {
        let answers = [try await store.credential(token: token), try await store.credential(token: token)]
        #expect(answers[0] == answers[1])
        return answers[0] != nil
    }

    @Test("an unknown token is not cached, since it may become valid")
    func unknown() async throws {
        #expect(try await !isKnown())
        try await store.addOwner(owner)
        #expect(try await isKnown())
    }

    @Test(
        "a revoked token no longer works, however it was removed",
        arguments: ["DELETE FROM token", "DELETE FROM owner", "UPDATE token SET digest = zeroblob(32)"]
    )
    func revoked(sql: String) async throws {
        try await store.addOwner(owner)
        #expect(try await isKnown())
        try await store.write { try $0.run(sql, []) }
        #expect(try await !isKnown())
    }

    @Test("a failed revocation revokes nothing")
    func failedRevocation() async throws {
        try await store.addOwner(owner)
        #expect(try await isKnown())
        await #expect(throws: DomainError.codeUnusable) {
            try await store.write { db in
                try db.run("DELETE FROM token", [])
                throw DomainError.codeUnusable
            }
        }
        #expect(try await isKnown())
    }

    @Test("a result that was read before a revocation is not cached after it")
    func race() async throws {
        let cache = TokenCache()
        let pool = try DatabasePool(path: folder.file("other.sqlite"))
        try await pool.writeWithoutTransaction { db in
            try db.execute(sql: "CREATE TABLE token (digest BLOB PRIMARY KEY) WITHOUT ROWID")
            try cache.watch(db)
            try SQLiteTransaction(db).run("INSERT INTO token VALUES (?)", [token.blob])
        }
        let credential = Credential(.station(StationID(high: 1, low: 4)))
        let (unknown, generation) = cache.credential(of: token)
        try await pool.writeWithoutTransaction { try SQLiteTransaction($0).run("DELETE FROM token", []) }
        cache.forgetTouched()
        cache.keep(credential, of: token, readIn: generation)
        #expect(unknown == nil && cache.credential(of: token).credential == nil)
        cache.keep(credential, of: token, readIn: cache.credential(of: token).generation)
        #expect(cache.credential(of: token).credential == credential)
    }
}
