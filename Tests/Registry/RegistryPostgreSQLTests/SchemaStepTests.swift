import MissingList
import PostgreSQL
import PostgreSQLTestSupport
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

@testable import RegistryPostgreSQL
@testable import RegistryStoreContract

@Suite("Steps of the tables in PostgreSQL")
struct SchemaStepTests {
    private static let nickname = [Table("owner", "nickname TEXT")]

    /// The names of the steps to run; nil if the program is too old.
    private static func missing(_ steps: [SchemaStep], done: [String: String]) -> [String]? {
        try? Migration.missing(of: steps, done: done).map(\.name)
    }

    @Test("a program runs the steps that are missing, and refuses those that only newer programs can use")
    func missing() {
        let steps = ["1", "2", "3"].map { SchemaStep($0) }
        #expect(Self.missing(steps, done: [:]) == ["1", "2", "3"])
        #expect(Self.missing(steps, done: ["1": "1"]) == ["2", "3"])
        let whole = ["1": "1", "2": "2", "3": "3"]
        #expect(Self.missing(steps, done: whole) == [])
        func newer(_ more: [String: String]) -> [String: String] { whole.merging(more) { $1 } }
        #expect(Self.missing(steps, done: newer(["4": "4"])) == nil)
        #expect(Self.missing(steps, done: newer(["4": "3"])) == [])
        #expect(Self.missing(steps, done: newer(["4": "3", "5": "3", "6": "1"])) == [])
        #expect(Self.missing(steps, done: newer(["4": "3", "5": "4"])) == nil)
        #expect(Self.missing(steps, done: newer(["4": "4", "5": "3"])) == nil)
        // Not a history of this program.
        #expect(Self.missing(steps, done: ["1": "1", "3": "3"]) == nil)
        #expect(Self.missing(steps, done: ["1": "1", "4": "1"]) == nil)
        #expect(throws: PostgreSQLOpenError.newerSchema("4")) {
            _ = try Migration.missing(of: steps, done: newer(["4": "4", "5": "3"]))
        }
    }

    @Test("processes that open an empty database at once make its tables once")
    func together() async throws {
        let cluster = try await PostgreSQLCluster.shared()
        let url = try await cluster.database()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    let store = try await PostgreSQLRegistryStore.open(try TestDatabase.server(url))
                    #expect(try await store.missingListVersion().number == 0)
                    await store.close()
                }
            }
            try await group.waitForAll()
        }
        let steps = try await TestDatabase.connect(to: url) { try $0.integer("SELECT count(*) FROM schema_step") }
        #expect(steps == Int64(Schema.steps.count))
    }

    @Test("while processes are upgraded one by one, the older ones go on if the new step allows it")
    func rolling() async throws {
        try await TestDatabase.with { url in
            let running = try await PostgreSQLRegistryStore.open(try TestDatabase.server(url))
            let stage = Stage(running)
            let owner = try await stage.owner()
            // Whole rows of this table are read here by statements that are prepared then, on all connections.
            func ask() async throws {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<50 {
                        group.addTask {
                            let found = try await running.owner(owner)
                            #expect(found?.id == owner)
                        }
                    }
                    try await group.waitForAll()
                }
                let count = try await running.readAtLength { try $0.rows("SELECT * FROM owner", []).count }
                #expect(count == 1)
            }
            try await ask()
            try await TestDatabase.connect(to: url) { connection in
                let step = SchemaStep("next", usableSince: "first", additions: Self.nickname)
                try Migration(connection: connection, steps: Schema.steps + [step]).run()
            }
            try await ask()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            await running.close()
            let restarted = try await PostgreSQLRegistryStore.open(try TestDatabase.server(url))
            #expect(try await restarted.bike(bike.id, of: owner) == bike)
            await restarted.close()
        }
    }

    @Test("a database that a newer program has changed for itself is refused")
    func newer() async throws {
        try await TestDatabase.with { url in
            try await TestDatabase.connect(to: url) { connection in
                let step = SchemaStep("next", additions: Self.nickname)
                try Migration(connection: connection, steps: Schema.steps + [step]).run()
            }
            await #expect(throws: PostgreSQLOpenError.newerSchema("next")) {
                _ = try await PostgreSQLRegistryStore.open(try TestDatabase.server(url))
            }
        }
    }
}
