import Foundation
import GRDB
import RegistryRules
import RegistrySQLiteTestSupport
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistrySQL
@testable import RegistrySQLite

@Suite("Backups of the database")
struct BackupTests {
    private let folder: TemporaryFolder
    private var database: String { folder.file("registry.sqlite") }
    private var backup: String { folder.file("backup.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    /// Adds an operator for each name. Releasing the store stops the registry; keeping it simulates a killed one.
    @discardableResult
    private func serve(_ names: String...) async throws -> SQLiteRegistryStore {
        let store = try await SQLiteRegistryStore.opening(database)
        for name in names {
            try await store.write { db in
                try db.run(
                    "INSERT INTO operator (id, name, created) VALUES (randomblob(16), ?, 0)", [name])
            }
        }
        return store
    }

    private func names(in path: String) throws -> [String] {
        try DatabaseQueue(path: path).read { try String.fetchAll($0, sql: "SELECT name FROM operator ORDER BY key") }
    }

    private func names(of prefix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("")).filter { $0.hasPrefix(prefix) }.sorted()
    }

    @Test(
        "a backup never replaces the registry's own files, by any path",
        arguments: [
            "registry.sqlite", "registry.sqlite-wal", "registry.sqlite-shm", "registry.sqlite-journal",
            "registry.sqlite.erasures", "registry.sqlite.revocations", "registry.sqlite.lock", "symbolic", "hard",
            "folder/registry.sqlite", "folder/folder/registry.sqlite-wal", "signing.key",
        ]
    )
    func own(name: String) async throws {
        let store = try await serve("one")
        let files = FileManager.default
        try files.createSymbolicLink(atPath: folder.file("symbolic"), withDestinationPath: database)
        try files.linkItem(atPath: database, toPath: folder.file("hard"))
        try files.createSymbolicLink(atPath: folder.file("folder"), withDestinationPath: folder.file(""))
        try Data("key".utf8).write(to: URL(fileURLWithPath: folder.file("signing.key")))
        let target = folder.file(name)
        #expect(throws: BackupError.belongsToRegistry(path: target)) {
            try RegistryBackup.backUp(
                database, to: target, replacing: true, keeping: [folder.file("signing.key")])
        }
        #expect(throws: BackupError.belongsToRegistry(path: target)) {
            try RegistryBackup.backUp(
                folder.file("symbolic"), to: target, replacing: true, keeping: [folder.file("signing.key")])
        }
        #expect(try names(in: database) == ["one"])
        #expect(try String(contentsOfFile: folder.file("signing.key"), encoding: .utf8) == "key")
        withExtendedLifetime(store) {}
    }

    @Test("a backup is complete under a name that SQLite could take for a URI, and readable only by its user")
    func uri() async throws {
        try await serve("one")
        // A relative URI starts at the working directory.
        let name = "file:\(UUID().uuidString).sqlite?mode=memory"
        let here = FileManager.default.currentDirectoryPath
        let mark = String(name.dropFirst(5).prefix(36))
        let made = { try FileManager.default.contentsOfDirectory(atPath: here).filter { $0.contains(mark) } }
        defer { for file in (try? made()) ?? [] { try? FileManager.default.removeItem(atPath: here + "/" + file) } }
        try RegistryBackup.backUp(database, to: name)
        #expect(try made() == [name])
        #expect(try names(in: here + "/" + name) == ["one"])
        let mode = try FileManager.default.attributesOfItem(atPath: here + "/" + name)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try RegistryBackup.restore(name, to: database, replacing: true).replaced != nil)
        #expect(try names(in: database) == ["one"])
    }

    @Test("an empty file is not a backup")
    func empty() throws {
        try Data().write(to: URL(fileURLWithPath: backup))
        #expect(throws: BackupError.damaged(path: backup, finding: "it is empty")) {
            try RegistryBackup.restore(backup, to: database)
        }
        #expect(try names(of: "registry.sqlite") == ["registry.sqlite.lock"])
    }

    @Test("a backup is only written to an ordinary file")
    func special() async throws {
        try await serve("one")
        #expect(throws: BackupError.special(path: "/dev/null")) {
            try RegistryBackup.backUp(database, to: "/dev/null", replacing: true)
        }
        #expect(throws: BackupError.special(path: folder.file(""))) {
            try RegistryBackup.backUp(database, to: folder.file(""), replacing: true)
        }
    }

    @Test("whoever reads the database last merges its log, and a reader beside a registry does not")
    func readersLog() async throws {
        let store = try await serve("one")
        try DatabaseQueue.reading(database) { queue in
            let count = try queue.inDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM operator") }
            #expect(count == 1)
        }
        #expect(try names(of: "registry.sqlite-wal") == ["registry.sqlite-wal"])
        try DatabaseQueue.reading(database) { queue in
            let count = try queue.inDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM operator") }
            #expect(count == 1)
            store.close()
        }
        #expect(try names(of: "registry.sqlite-") == [])
        #expect(try names(in: database) == ["one"])
    }

    @Test("what interrupted copies have left is removed, but not a copy in progress")
    func leftovers() async throws {
        func leave(_ name: String) throws { try Data("secret".utf8).write(to: URL(fileURLWithPath: folder.file(name))) }
        let running = try PartialFile(beside: backup)
        for name in ["backup.sqlite.partial-AbC123", "backup.sqlite.partial-AbC123-journal"] { try leave(name) }
        for name in ["registry.sqlite.partial-AbC123", "registry.sqlite.partial-notes"] { try leave(name) }
        let store = try await serve("one")
        #expect(try names(of: "registry.sqlite.partial") == ["registry.sqlite.partial-notes"])
        try RegistryBackup.backUp(database, to: backup)
        let files = try names(of: "backup.sqlite")
        #expect(files.map { folder.file($0) } == [backup, running.path])
        running.remove()
        #expect(try names(of: "backup.sqlite") == ["backup.sqlite"])
        store.close()
    }

    @Test("each database that a restored backup replaces is kept under a separate name")
    func replaced() async throws {
        try await serve("one")
        try RegistryBackup.backUp(database, to: backup)
        try await serve("two")
        #expect(try RegistryBackup.restore(backup, to: database, replacing: true).replaced == database + ".replaced")
        #expect(try names(in: database) == ["one"])
        try await serve("three")
        #expect(try RegistryBackup.restore(backup, to: database, replacing: true).replaced == database + ".replaced-2")
        #expect(try names(in: database + ".replaced") == ["one", "two"])
        #expect(try names(in: database + ".replaced-2") == ["one", "three"])
        #expect(try RegistryBackup.restore(database + ".replaced", to: database, replacing: true).replaced != nil)
        #expect(try names(in: database) == ["one", "two"])
        #expect(
            try names(of: "registry.sqlite.replaced") == [
                "registry.sqlite.replaced", "registry.sqlite.replaced-2", "registry.sqlite.replaced-3",
            ])
    }

    @Test("the log of a killed registry is kept with its database, and restored with it")
    func log() async throws {
        try await serve("one")
        try RegistryBackup.backUp(database, to: backup)
        // Copy a database whose log has not been checkpointed.
        let store = try await serve("two")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: database + suffix, toPath: folder.file("killed") + suffix)
        }
        withExtendedLifetime(store) {}
        let killed = folder.file("killed")
        let kept = try #require(try RegistryBackup.restore(backup, to: killed, replacing: true).replaced)
        #expect(try names(in: killed) == ["one"] && (try names(in: kept)) == ["one", "two"])
        for suffix in ["", "-wal"] {
            try? FileManager.default.removeItem(atPath: folder.file("again") + suffix)
            try FileManager.default.copyItem(atPath: database + suffix, toPath: folder.file("again") + suffix)
        }
        try RegistryBackup.restore(folder.file("again"), to: killed, replacing: true)
        #expect(try names(in: killed) == ["one", "two"])
    }

    @Test("a database is not restored from itself, nor while a registry serves it under another name")
    func itself() async throws {
        let store = try await serve("one")
        let link = folder.file("link")
        try RegistryBackup.backUp(database, to: backup)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: database)
        #expect(throws: BackupError.belongsToRegistry(path: database)) {
            try RegistryBackup.restore(database, to: link, replacing: true)
        }
        #expect(throws: StoreOpenError.inUse(path: link)) {
            try RegistryBackup.restore(backup, to: link, replacing: true)
        }
        withExtendedLifetime(store) {}
    }
}
