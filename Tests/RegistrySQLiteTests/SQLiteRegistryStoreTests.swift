import Foundation
import GRDB
import Registry
import RegistryAPI
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

    @Test("sightings from an earlier version are kept, and the key of a deleted one is not reused")
    func sightingsByReport() throws {
        let queue = try DatabaseQueue(path: path)
        try Schema.migrator.migrate(queue, upTo: "missing list journal")
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO owner (key, id, created, tells_appearance) VALUES (1, zeroblob(16), 0, 1);
                    INSERT INTO identity (beacon, issued) VALUES (zeroblob(20), 0);
                    INSERT INTO bike (key, id, owner, beacon, kind, make, model, colours, created)
                    VALUES (1, zeroblob(16), 1, zeroblob(20), 'bicycle', 'a', 'b', '', 0);
                    INSERT INTO report (key, id, bike, opened, missing_since, told_last)
                    VALUES (1, zeroblob(16), 1, 0, 0, 7);
                    INSERT INTO station (key, id, name, venue, mobile, enrolled) VALUES (1, zeroblob(16), 'a', 'a', 0, 0);
                    INSERT INTO station_share (report, station, since, alerts) VALUES (1, 1, 5, 3);
                    INSERT INTO channel (key, id, owner, kind, url, secret, coordinates, created)
                    VALUES (1, zeroblob(16), 1, 'webhook', '', x'', 0, 0);
                    """)
            for key in [7, 9] {
                try db.execute(
                    sql: """
                        INSERT INTO sighting (key, station, visit, stay, beacon, report, received, revision, reasons,
                            first_seen, last_seen, count, measured_power, proximity, ended, time_uncertain)
                        VALUES (?, 1, randomblob(16), zeroblob(16), zeroblob(20), 1, 0, 0, 0, 0, 0, 1, -59, 'near', 0, 0)
                        """, arguments: [key])
            }
            try db.execute(
                sql: """
                    INSERT INTO alert (id, sighting, thread, channel, urgent, kind, created)
                    VALUES (zeroblob(16), 7, 7, 1, 0, 'webhook', 0);
                    DELETE FROM sighting WHERE key = 9;
                    """)
        }
        try Schema.migrator.migrate(queue)
        let state = try queue.read { db in
            [
                try Int.fetchOne(db, sql: "SELECT key FROM sighting"),
                try Int.fetchOne(db, sql: "SELECT sighting FROM alert"),
                try Int.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'sighting'"),
                try Int.fetchOne(db, sql: "SELECT alerts FROM alert_share WHERE late = 0"),
            ]
        }
        #expect(state == [7, 7, 9, 3])
    }

    @Test("two registries cannot share a database")
    func exclusive() throws {
        let first = try SQLiteRegistryStore(path: path)
        #expect(throws: StoreOpenError.inUse(path: path)) { try SQLiteRegistryStore(path: path) }
        withExtendedLifetime(first) {}
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
