import MissingList
import PostgreSQL
import PostgreSQLTestSupport
import RegistrySQL
import Testing

@testable import RegistryPostgreSQL

@Suite("Steps of the tables")
struct MigrationTests {
    @Test("stores that open an empty database at once make the tables once")
    func together() async throws {
        let url = try await PostgreSQLCluster.shared().database()
        let stores = try await withThrowingTaskGroup(of: PostgreSQLRegistryStore.self) { group in
            for _ in 0..<4 {
                group.addTask { try await PostgreSQLRegistryStore.open(try TestDatabase.server(url)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let versions = try await versions(of: stores)
        #expect(Set(versions).count == 1)
        #expect(try await steps(url) == Schema.steps.map(\.name))
        for store in stores { await store.close() }
    }

    private func versions(of stores: [PostgreSQLRegistryStore]) async throws -> [UInt64] {
        var marks: [UInt64] = []
        for store in stores { marks.append(try await store.missingListVersion().mark) }
        return marks
    }

    @Test("a database that a newer program has changed is refused")
    func newer() async throws {
        try await TestDatabase.with { url in
            let name = "'from the future'"
            try await run("INSERT INTO schema_step (name, usable_since) VALUES (\(name), \(name))", url)
            await #expect(throws: PostgreSQLOpenError.newerSchema("from the future")) {
                _ = try await PostgreSQLRegistryStore.open(try TestDatabase.server(url))
            }
        }
    }

    @Test("a database of a development version is refused")
    func unreleased() async throws {
        try await TestDatabase.with { url in
            try await run("UPDATE schema_step SET name = '1', usable_since = '1' WHERE name = 'first'", url)
            await #expect(throws: PostgreSQLOpenError.unreleasedSchema) {
                _ = try await PostgreSQLRegistryStore.open(try TestDatabase.server(url))
            }
        }
    }

    @Test("a step that fails leaves nothing behind, and runs when the program is started again")
    func failing() async throws {
        let url = try await PostgreSQLCluster.shared().database()
        struct Failure: Error {}
        let tables = [Table("a", "b INTEGER")]
        let broken = SchemaStep("1", tables: tables) { _ in throw Failure() }
        let mended = SchemaStep("1", tables: tables)
        await #expect(throws: Failure.self) { try await migrate(url, [broken]) }
        #expect(try await steps(url) == [])
        try await migrate(url, [mended])
        #expect(try await steps(url) == ["1"])
        try await migrate(url, [mended, SchemaStep("2", additions: [Table("a", "c INTEGER")])])
        #expect(try await steps(url) == ["1", "2"])
    }

    private func migrate(_ url: String, _ steps: [SchemaStep]) async throws {
        try await use(url) { try Migration(connection: $0, steps: steps).run() }
    }

    private func run(_ sql: String, _ url: String) async throws { try await use(url) { try $0.runScript(sql) } }

    private func steps(_ url: String) async throws -> [String] {
        try await use(url) { connection in
            var names: [String] = []
            try connection.visit("SELECT name FROM schema_step ORDER BY done_at") { row in
                names.append(row.text(0) ?? "")
                return true
            }
            return names
        }
    }

    private func use<Result: Sendable>(
        _ url: String, _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        let pool = ConnectionPool(try TestDatabase.server(url).connection, limits: .init(connections: 1))
        let result = await Task { try await pool.use(body) }.result
        await pool.shutDown()
        return try result.get()
    }
}
