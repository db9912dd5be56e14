import GRDB
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistrySQLiteTestSupport
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistrySQLite
@testable import RegistryStoreContract

@Suite("A full registry of conversations")
struct ConversationBoundsTests {
    private let folder: TemporaryFolder
    private let store: SQLiteRegistryStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteRegistryStore(newAt: folder.file("registry.sqlite"))
    }

    /// Adds rows to the conversations of the bike with a key, or of none.
    ///
    /// - Parameter columns: the values of further columns, which may use the row's number n.
    private func add(_ count: Int, about bike: Int?, area: Int, _ columns: String) async throws {
        try await store.write { db in
            try db.database.execute(
                sql: """
                    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
                    INSERT INTO conversation (id, digest, bike, target, origin, subscriber, area, began, changed,
                        answered, closed, closed_by)
                    SELECT randomblob(16), randomblob(32), ?, randomblob(32), 'sticker', n, ?, n, n, \(columns) FROM number
                    """, arguments: [count, bike, area])
        }
    }

    private func counts() async throws -> [String: Int] {
        try await store.write { db in
            let rows = try Row.fetchAll(
                db.database,
                sql: """
                    SELECT coalesce(bike.make, 'area ' || area) AS name, count(*) AS number FROM conversation
                    LEFT JOIN bike ON bike.key = conversation.bike GROUP BY name
                    """)
            return Dictionary(uniqueKeysWithValues: rows.map { ($0["name"] as String, $0["number"] as Int) })
        }
    }

    @Test(
        "the account with the most loses its own, whatever it did with them",
        arguments: ["1, 1, 'owner'", "1, NULL, NULL", "0, 1, 'finder'"])
    func accounts(columns: String) async throws {
        let stage = Stage(store)
        let (honest, hostile) = (try await stage.owner(), try await stage.owner())
        let mine = try await stage.bike(of: honest, Samples.identity(1))
        _ = try await stage.bike(of: hostile, Samples.identity(2))
        let before = MessageRules.most - 20
        try await store.write { db in
            try db.database.execute(
                sql: "UPDATE bike SET make = 'mine' WHERE key = 1; UPDATE bike SET make = 'theirs' WHERE key = 2")
        }
        try await add(20, about: 1, area: 7, "0, NULL, NULL")
        try await add(before, about: 2, area: 8, columns)
        _ = try await store.setSticker(SecretDigest(of: "code"), on: mine.id, by: stage.act(of: honest))
        #expect(try await stage.begin("new", about: .code, from: .number(9)))
        let after = try await counts()
        #expect(after["mine"] == 21 && after["theirs"] == before - 500)
    }

    @Test("a subscriber of the wider network with the most keeps the first, if others have more")
    func subscribers() async throws {
        let stage = Stage(store)
        let owner = try await stage.owner()
        _ = try await stage.bike(of: owner, Samples.identity(1))
        try await store.write { db in try db.database.execute(sql: "UPDATE bike SET make = 'mine'") }
        try await add(MessageRules.most - 1, about: nil, area: 8, "0, NULL, NULL")
        try await store.write { db in
            try db.database.execute(sql: "UPDATE conversation SET subscriber = subscriber % 100")
        }
        // The newest, but the first of its subscriber.
        try await add(1, about: 1, area: 8, "0, NULL, NULL")
        try await store.write { db in
            try db.database.execute(sql: "UPDATE conversation SET subscriber = -1 WHERE bike = 1")
        }
        #expect(try await stage.begin("new", about: .identity, from: .number(9)))
        let after = try await counts()
        #expect(after["mine"] == 2 && after["area 8"] == MessageRules.most - 501)
    }

    @Test("the wider network with the most loses its own")
    func areas() async throws {
        let stage = Stage(store)
        let owner = try await stage.owner()
        _ = try await stage.bike(of: owner, Samples.identity(1))
        try await store.write { db in try db.database.execute(sql: "UPDATE bike SET make = 'mine'") }
        try await add(2000, about: 1, area: 7, "0, NULL, NULL")
        try await add(MessageRules.most - 2000, about: nil, area: 8, "0, NULL, NULL")
        #expect(try await stage.begin("new", about: .identity, from: .number(9)))
        let after = try await counts()
        #expect(after["mine"] == 2001 && after["area 8"] == MessageRules.most - 2500)
    }
}
