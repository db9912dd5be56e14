import Foundation
import GRDB
import RegistryAPI
import RegistryRules
import RegistrySQLiteTestSupport
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistrySQL
@testable import RegistrySQLite

@Suite("The SQLite store")
struct SQLiteRegistryStoreTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("registry.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    @Test("a completed write survives a loss of power: WAL with synchronous=FULL")
    func durability() async throws {
        let store = try SQLiteRegistryStore(path: path)
        let pragmas = try await store.pool.writeWithoutTransaction { db in
            [
                try String.fetchOne(db, sql: "PRAGMA journal_mode"),
                try String.fetchOne(db, sql: "PRAGMA synchronous"),
                try String.fetchOne(db, sql: "PRAGMA foreign_keys"),
            ]
        }
        #expect(pragmas == ["wal", "2", "1"])
    }

    @Test("stored data survives a restart")
    func reopen() async throws {
        let owner = Owner(id: OwnerID(high: 1, low: 2), created: HandClock().now)
        try await SQLiteRegistryStore.opening(path).addOwner(owner, token: SecretDigest(of: "token"))
        let store = try await SQLiteRegistryStore.opening(path)
        #expect(try await store.owner(owner.id) == owner)
        #expect(try await store.credential(token: SecretDigest(of: "token"))?.principal == .owner(owner.id))
    }

    @Test("a database from a newer version is left unchanged")
    func newerSchema() throws {
        var newer = Schema.migrator
        newer.registerMigration("99") { db in try db.execute(sql: "CREATE TABLE future (key INTEGER)") }
        _ = try SQLiteRegistryStore(path: path, migrator: newer)
        #expect(throws: StoreOpenError.newerSchema(path: path)) { try SQLiteRegistryStore(path: path) }
    }

    @Test("a database of a development version is left unchanged", arguments: [false, true])
    func unreleasedSchema(isInLog: Bool) async throws {
        let queue = try DatabaseQueue(path: path)
        var steps = DatabaseMigrator()
        steps.registerMigration("1") { db in try db.execute(sql: "CREATE TABLE owner (key INTEGER PRIMARY KEY)") }
        if isInLog { try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") } }
        try steps.migrate(queue)
        #expect(throws: StoreOpenError.unreleasedSchema(path: path)) { try SQLiteRegistryStore(path: path) }
        let left = try await queue.read { [steps] db in try steps.appliedIdentifiers(db) }
        #expect(left == ["1"])
        if !isInLog {
            #expect(throws: StoreOpenError.unreleasedSchema(path: path)) { try SQLiteRegistryStore.examine(path: path) }
            #expect(throws: BackupError.unreleasedSchema(path: path)) {
                try RegistryBackup.restore(path, to: folder.file("restored.sqlite"))
            }
        }
    }

    @Test("two registries cannot share a database")
    func exclusive() throws {
        let first = try SQLiteRegistryStore(path: path)
        #expect(throws: StoreOpenError.inUse(path: path)) { try SQLiteRegistryStore(path: path) }
        withExtendedLifetime(first) {}
    }

    @Test("a store that is closed leaves the database to the next one, waits for work in progress, and refuses more")
    func close() async throws {
        let first = try SQLiteRegistryStore(path: path)
        async let change: Void = first.write { try $0.run("UPDATE missing_list SET version = version", []) }
        async let query = first.read { try $0.rows("SELECT version FROM missing_list", []).count }
        async let long = first.readAtLength { try $0.rows("SELECT version FROM missing_list", []).count }
        try await change
        #expect(try await [query, long] == [1, 1])
        first.close()
        first.close()
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        let second = try SQLiteRegistryStore(path: path)
        await #expect(throws: (any Error).self) { try await first.read { try $0.rows("SELECT 1", []) } }
        await #expect(throws: (any Error).self) { try await first.readAtLength { try $0.rows("SELECT 1", []) } }
        await #expect(throws: (any Error).self) { try await first.write { try $0.run("DELETE FROM audit", []) } }
        #expect(try await second.read { try $0.rows("SELECT 1", []).count } == 1)
    }

    @Test("another process cannot open the database either")
    func exclusiveAcrossProcesses() async throws {
        let first = try SQLiteRegistryStore(path: path)
        let flock = try await BuiltProgram(path: "/usr/bin/flock").run(
            ["--nonblock", "--conflict-exit-code", "75", path + ".lock", "true"])
        #expect(flock.status == 75)
        withExtendedLifetime(first) {}
    }

    @Test("a missing folder is named")
    func missingFolder() {
        let path = folder.file("none/registry.sqlite")
        #expect(throws: StoreOpenError.folderMissing(path: path)) { try SQLiteRegistryStore(path: path) }
    }

    @Test("the error for a path that cannot be written to contains the system's reason")
    func notWritable() throws {
        let error = #expect(throws: StoreOpenError.self) { try SQLiteRegistryStore(path: "/proc/registry.sqlite") }
        guard case .notWritable(let path, _, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path == "/proc/registry.sqlite")
    }

    @Test("a file that is not a database is refused and left unchanged")
    func notADatabase() throws {
        let file = try folder.write(String(repeating: "not a database ", count: 200), to: "registry.sqlite")
        let error = #expect(throws: StoreOpenError.self) { try SQLiteRegistryStore(path: file) }
        #expect(error == .notDatabase(path: file))
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("not a database"))
    }

    @Test("only its user can read the database, which contains secrets")
    func permissions() throws {
        let store = try SQLiteRegistryStore(path: path)
        for file in [path, path + "-wal", path + ".lock"] {
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(file)")
        }
        withExtendedLifetime(store) {}
    }

    @Test("a full disk is a separate error, and the next write succeeds once there is space")
    func full() async throws {
        let store = try SQLiteRegistryStore(path: path)
        let pages = try await store.pool.writeWithoutTransaction { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages)")
            return pages
        }
        let failure = await #expect(throws: DomainError.self) { try await Self.fill(store, owners: 2000) }
        guard case .storageUnavailable? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        try await store.pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA max_page_count = \(pages + 1000)")
        }
        try await Self.fill(store, owners: 10)
    }

    private static func fill(_ store: SQLiteRegistryStore, owners: Int) async throws {
        var entropy = Entropy.system
        for _ in 0..<owners {
            let owner = Owner(id: OwnerID(at: HandClock().now, using: &entropy), created: HandClock().now)
            try await store.addOwner(owner, token: SecretDigest(of: owner.id.description))
        }
    }
}
