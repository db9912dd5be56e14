import Evidence
import Foundation
import MissingList
import PostgreSQL
import PostgreSQLTestSupport
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistrySQLiteTestSupport
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistryPostgreSQL
@testable import RegistrySQLite
@testable import RegistryStoreContract

@Suite("Moving from SQLite to PostgreSQL", .timeLimit(.minutes(30)))
struct MigrationFromSQLiteTests {
    private static let pictures = PhotoPictures(large: [1, 2, 3], small: [4])
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func source() throws -> SQLiteRegistryStore {
        try SQLiteRegistryStore(newAt: folder.file("registry.sqlite"), quotas: TestDatabase.quotas)
    }

    /// Copies the database; each photo has the same pictures by default.
    private func copy(
        _ source: SQLiteRegistryStore, to url: String,
        pictures: @escaping @Sendable (PhotoName) throws -> PhotoPictures? = { _ in pictures }
    ) async throws -> PostgreSQLMigration.Copied {
        let server = try TestDatabase.server(url)
        return try await source.readAtLength { try PostgreSQLMigration(to: server).copy($0, pictures: pictures) }
    }

    /// Expects that both databases have the same rows.
    private func compare(_ source: SQLiteRegistryStore, _ target: PostgreSQLRegistryStore) async throws -> Int {
        let (tables, expected) = try await source.readAtLength { db in
            let tables = try StoredRows(ofTablesIn: db)
            return (tables, try tables.all(in: db))
        }
        let found = try await target.readAtLength { try tables.all(in: $0) }
        #expect(expected.count > 50)
        for (table, rows) in expected { #expect(found[table] == rows, "\(table)") }
        return expected.values.reduce(0) { $0 + $1.count }
    }

    /// A registry in use: an owner with a missing bike that was seen, photos, messages, a share, a member and tokens;
    /// and another one who was erased.
    private func fill(
        _ store: SQLiteRegistryStore
    ) async throws -> (report: MissingReport, owner: OwnerID, photo: PhotoName) {
        let stage = Stage(store)
        let gone = try await stage.owner()
        _ = try await stage.bike(of: gone, Samples.identity(9))
        let (owner, report, station) = try await stage.missingBike()
        let bike = try #require(try await store.bike(report.bike, of: owner))
        _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
        _ = try await stage.told()
        _ = try await stage.record(Samples.visit(2, from: stage.now, lasting: .seconds(300)), by: station)
        let photo = try await stage.addPhoto(to: bike, of: owner)
        let removed = try await stage.addPhoto(to: bike, of: owner)
        try await store.removePhoto(removed.photo.id, of: bike.id, by: stage.act(of: owner))
        _ = try await store.setSticker(SecretDigest(of: "code"), on: bike.id, by: stage.act(of: owner))
        try await stage.begin("finder", about: .code, saying: "by the station – ‘ß’ \"quoted\" 🚲")
        _ = try await stage.share(on: bike.id, of: owner)
        _ = try await stage.member(of: bike.id, of: owner, .report)
        let token = try await stage.token("revoked", of: owner)
        try await store.revokeToken(token.id, by: stage.act(of: owner))
        _ = try await stage.token("kept", of: owner)
        let chief = Operator(id: stage.newID(), name: "op", created: stage.now)
        try await store.addOperator(chief, token: SecretDigest(of: "operator"), by: nil)
        try await store.eraseOwner(try #require(try await store.owner(gone)), by: stage.act(of: gone))
        return (report, owner, photo.name)
    }

    @Test("every row, token and picture is there, the audit is whole, and the registry goes on")
    func whole() async throws {
        try await TestDatabase.with { url in
            let source = try source()
            let (report, owner, photo) = try await fill(source)
            let audit = try await source.verifyAudit(nil, against: [])
            let copied = try await copy(source, to: url)
            #expect(copied.photos == 1 && copied.missingPhotos == 0)
            #expect(copied.auditEntries == Int64(audit.entries))
            let target = try await PostgreSQLRegistryStore.open(
                try TestDatabase.server(url), quotas: TestDatabase.quotas)
            #expect(try await compare(source, target) == Int(copied.rows))
            #expect(try await target.missingListVersion() == source.missingListVersion())

            for secret in ["\(owner)", "kept", "revoked", "operator"] {
                let digest = SecretDigest(of: secret)
                #expect(try await target.credential(token: digest) == source.credential(token: digest), "\(secret)")
            }
            #expect(try await target.credential(token: SecretDigest(of: "kept")) != nil)
            #expect(try await target.pictures.whole(photo, .large) == Self.pictures.large)
            #expect(try await target.pictures.whole(photo, .small) == Self.pictures.small)

            try await expectNewKeys(in: target, after: source)
            // The registry goes on: triggers, keys and the chain work.
            let stage = Stage(target)
            stage.clock.advance(by: .seconds(3600))
            let other = try await stage.owner()
            let second = try await stage.bike(of: other, Samples.identity(2))
            _ = try await stage.openReport(on: second.id, of: other)
            try await stage.begin("other", about: .code)
            _ = try await stage.close(report, of: owner)
            let current = try #require(try await target.bike(report.bike, of: owner))
            try await target.eraseBike(current, by: stage.act(of: owner))
            let version = try await source.missingListVersion()
            #expect(try await target.missingListVersion().number == version.number + 2)
            #expect(try await target.removedPhotos(limit: 9).contains(photo))
            #expect(try await target.verifyAudit().entries > audit.entries)
            await target.close()
        }
    }

    /// Expects that the keys of new rows are none that the source ever gave.
    private func expectNewKeys(in target: PostgreSQLRegistryStore, after source: SQLiteRegistryStore) async throws {
        let sequences = try await target.write { db in
            let sql = """
                SELECT CAST(table_name AS text) AS name,
                    nextval(pg_get_serial_sequence(quote_ident(table_name), column_name)) AS key
                FROM information_schema.columns WHERE table_schema = 'public' AND is_identity = 'YES'
                """
            return try db.rows(sql, []).map { (name: try $0["name"] as String, key: try $0["key"] as Int64) }
        }
        #expect(sequences.count > 10)
        for (name, key) in sequences {
            let last = try await source.readAtLength { db in
                let given = try db.integer("SELECT seq FROM sqlite_sequence WHERE name = ?", [name])
                return max(given ?? 0, try db.integer("SELECT max(key) FROM \"\(name)\"", []) ?? 0)
            }
            #expect(key == last + 1, "\(name)")
        }
    }

    /// Databases that the contract's cases fill: what a registry can contain.
    @Test(
        "what the store's contract stores arrives row by row",
        arguments: stride(from: 0, to: StoreContract.all.count, by: 6).map { StoreContract.all[$0] })
    func contract(_ contract: StoreContract) async throws {
        let source = try source()
        try await contract.check(on: source)
        try await TestDatabase.with { url in
            let copied: PostgreSQLMigration.Copied
            do {
                copied = try await copy(source, to: url) { _ in nil }
            } catch DatabaseCopyError.notEmpty {
                Issue.record("the database is not empty")
                return
            }
            let target = try await PostgreSQLRegistryStore.open(try TestDatabase.server(url))
            #expect(try await compare(source, target) == Int(copied.rows))
            await target.close()
        }
    }

    @Test("a row may refer to a later one of its table, however many lie between them")
    func later() async throws {
        let source = try source()
        let owner = try await Stage(source).owner()
        let number = { @Sendable (number: Int) in withUnsafeBytes(of: UInt16(number).bigEndian) { Data($0) } }
        try await source.write { db in
            let key = try db.integer("SELECT key FROM owner WHERE id = ?", [owner.blob])
            for token in 1...1200 {
                try db.run(
                    "INSERT INTO token (digest, owner, id, name, scope, created) VALUES (?, ?, ?, '', '', 0)",
                    [number(token) + Data(count: 30), key, number(token) + Data(count: 14)])
            }
            try db.run(
                "UPDATE token SET parent = ? WHERE digest = ?",
                [number(1200) + Data(count: 14), number(1) + Data(count: 30)])
        }
        try await TestDatabase.with { url in
            let copied = try await copy(source, to: url)
            let target = try await PostgreSQLRegistryStore.open(try TestDatabase.server(url))
            #expect(try await compare(source, target) == Int(copied.rows))
            await target.close()
            // Afterwards a reference is checked at each statement again.
            let deferrable = try await TestDatabase.connect(to: url) { connection in
                try connection.integer("SELECT count(*) FROM pg_constraint WHERE condeferrable")
            }
            #expect(deferrable == 0)
        }
    }

    @Test("a database that is in use is refused, and stays as it is")
    func used() async throws {
        let source = try source()
        _ = try await fill(source)
        try await TestDatabase.with { url in
            _ = try await copy(source, to: url)
            await #expect(throws: DatabaseCopyError.notEmpty) { _ = try await copy(source, to: url) }
            let target = try await PostgreSQLRegistryStore.open(try TestDatabase.server(url))
            _ = try await compare(source, target)
            await target.close()
        }
    }

    @Test("a copy that fails leaves nothing, and can be repeated")
    func failing() async throws {
        struct Broken: Error {}
        let source = try source()
        _ = try await fill(source)
        try await TestDatabase.with { url in
            await #expect(throws: Broken.self) { _ = try await copy(source, to: url) { _ in throw Broken() } }
            let left = try await TestDatabase.connect(to: url) { connection in
                try connection.integer("SELECT (SELECT count(*) FROM owner) + (SELECT count(*) FROM audit)")
            }
            #expect(left == 0)
            let copied = try await copy(source, to: url) { _ in nil }
            #expect(copied.photos == 0 && copied.missingPhotos == 1)
        }
    }

    @Test("a database without tables gets them, and an empty registry can be copied")
    func empty() async throws {
        let url = try await PostgreSQLCluster.shared().database()
        let source = try source()
        _ = try await copy(source, to: url)
        let target = try await PostgreSQLRegistryStore.open(try TestDatabase.server(url))
        _ = try await compare(source, target)
        #expect(try await target.missingListVersion() == source.missingListVersion())
        await target.close()
    }

    @Test("a text that PostgreSQL cannot store is named, and nothing is copied")
    func unusable() async throws {
        let source = try source()
        _ = try await fill(source)
        try await source.write { try $0.run("UPDATE bike SET make = 'a' || char(0) || 'b'", []) }
        try await TestDatabase.with { url in
            let error = await #expect(throws: DatabaseCopyError.self) { _ = try await copy(source, to: url) }
            #expect(error == .unusable(table: "bike", column: "make"))
            #expect(error?.description.contains("‘make’ of the table ‘bike’") == true)
            let owners = try await TestDatabase.connect(to: url) { try $0.integer("SELECT count(*) FROM owner") }
            #expect(owners == 0)
        }
    }

    @Test("rows that break a rule of the tables are named by their table")
    func refused() async throws {
        let source = try source()
        _ = try await fill(source)
        try await TestDatabase.with { url in
            try await TestDatabase.connect(to: url) { connection in
                _ = try connection.runScript("ALTER TABLE bike ADD CONSTRAINT no_b CHECK (make <> 'Brompton')")
            }
            let error = await #expect(throws: DatabaseCopyError.self) { _ = try await copy(source, to: url) }
            #expect(error?.description.contains("refused rows of the table ‘bike’") == true)
            #expect(error?.description.contains("no_b") == true)
        }
    }
}
