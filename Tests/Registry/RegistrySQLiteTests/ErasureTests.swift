import Beacons
import Evidence
import Foundation
import RegistryAPI
import RegistryRules
import RegistrySQLiteTestSupport
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistrySQL
@testable import RegistrySQLite

@Suite("Erasures and backups", .timeLimit(.minutes(20)))
struct ErasureTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("registry.sqlite") }
    private var journal: String { path + ".erasures" }

    init() throws { folder = try TemporaryFolder() }

    @Test("a restored backup erases again everything that was erased after it was made")
    func restored() async throws {
        let owner = try await addOwner()
        let bike = try await addBike(of: try await addOwner())
        try await copy("registry.sqlite", to: "backup")
        do {
            let store = try await SQLiteRegistryStore.opening(path)
            try await store.eraseOwner(try #require(try await store.owner(owner)), by: act(of: owner))
            try await store.eraseBike(bike.bike, by: act(of: bike.owner))
        }
        try await copy("backup", to: "registry.sqlite")
        let store = try await SQLiteRegistryStore.opening(path)
        #expect(try await store.owner(owner) == nil)
        #expect(try await store.owner(bike.owner) != nil)
        #expect(try await store.bike(bike.bike.id, of: bike.owner) == nil)
        await #expect(throws: DomainError.identityTaken) {
            _ = try await Self.register(Samples.identity(1), of: bike.owner, in: store)
        }
    }

    @Test("an erased bike leaves only commitments to its owner's changes to it, even in a restored backup")
    func audit() async throws {
        let (bike, owner) = try await addBike(of: try await addOwner())
        let other = try await Self.register(Samples.identity(2), of: owner, in: .opening(path))
        try await copy("registry.sqlite", to: "backup")
        do {
            let store = try await SQLiteRegistryStore.opening(path)
            let end = try await store.auditEnd()
            let checkpoint = Checkpoint(length: end.length, chain: end.hash, time: HandClock().now, key: 1)
            try await store.eraseBike(bike, by: act(of: owner))
            #expect(try await Self.actions(of: AuditFilter(bike: bike.id), in: store) == ["bike.erased"])
            #expect(try await Self.actions(of: AuditFilter(bike: other.id), in: store) == ["bike.registered"])
            #expect(
                try await Self.actions(of: AuditFilter(owner: owner), in: store)
                    == ["owner.created", "bike.registered", "bike.erased"]
            )
            #expect(try await store.verifyAudit(nil, against: [checkpoint]).erased == 1)
        }
        try await copy("backup", to: "registry.sqlite")
        let store = try await SQLiteRegistryStore.opening(path)
        #expect(try await Self.actions(of: AuditFilter(bike: bike.id), in: store) == [])
        #expect(try await Self.actions(of: AuditFilter(bike: other.id), in: store) == ["bike.registered"])
        #expect(try await store.verifyAudit(nil, against: []).erased == 1)
    }

    private static func actions(of filter: AuditFilter, in store: SQLiteRegistryStore) async throws -> [String] {
        try await store.auditEntries(filter, PageRequest(limit: 100)).items.compactMap(\.event?.action)
    }

    @Test("the journal contains only identifiers and times, and only its user can read it")
    func content() async throws {
        let owner = try await addOwner()
        let store = try await SQLiteRegistryStore.opening(path)
        #expect(!FileManager.default.fileExists(atPath: journal))
        try await store.eraseOwner(try #require(try await store.owner(owner)), by: act(of: owner))
        #expect(try lines() == ["\(HandClock().now) owner \(owner)"])
        let mode = try FileManager.default.attributesOfItem(atPath: journal)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("an erasure that a crash kept out of the journal is added when the database is opened")
    func crash() async throws {
        let owner = try await addOwner()
        do {
            let store = try await SQLiteRegistryStore.opening(path)
            try await store.eraseOwner(try #require(try await store.owner(owner)), by: act(of: owner))
        }
        let whole = try lines()
        try FileManager.default.removeItem(atPath: journal)
        _ = try await SQLiteRegistryStore.opening(path)
        #expect(try lines() == whole)
        _ = try await SQLiteRegistryStore.opening(path)
        #expect(try lines() == whole)
    }

    @Test("a line that a crash truncated affects neither the lines before it nor those after it")
    func tornLine() async throws {
        let owners = [try await addOwner(), try await addOwner()]
        let store = try await SQLiteRegistryStore.opening(path)
        try await store.eraseOwner(try #require(try await store.owner(owners[0])), by: act(of: owners[0]))
        let file = try #require(FileHandle(forWritingAtPath: journal))
        try file.seekToEnd()
        try file.write(contentsOf: Data("\n2026-11-21T12:00:00.000Z own".utf8))
        try await store.eraseOwner(try #require(try await store.owner(owners[1])), by: act(of: owners[1]))
        #expect(try store.erasures.entries().map(\.erasure) == owners.map(Erasure.owner))
    }

    @Test("if the journal cannot be written, the erasure fails, and the next one records both")
    func fullDisk() async throws {
        let owners = [try await addOwner(), try await addOwner()]
        let store = try await SQLiteRegistryStore.opening(path)
        // A folder at this path makes every write fail.
        try FileManager.default.createDirectory(atPath: journal, withIntermediateDirectories: false)
        let failure = await #expect(throws: DomainError.self) {
            try await store.eraseOwner(try #require(try await store.owner(owners[0])), by: act(of: owners[0]))
        }
        guard case .storageUnavailable? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        try FileManager.default.removeItem(atPath: journal)
        try await store.eraseOwner(try #require(try await store.owner(owners[1])), by: act(of: owners[1]))
        #expect(try store.erasures.entries().map(\.erasure) == owners.map(Erasure.owner))
    }

    private func lines() throws -> [String] {
        try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// Copies a database when it is closed, since a store's threads close its files a moment after its release.
    private func copy(_ from: String, to: String) async throws {
        try await eventually("the database is closed") { try !isOpen() }
        try? FileManager.default.removeItem(atPath: folder.file(to))
        try FileManager.default.copyItem(atPath: folder.file(from), toPath: folder.file(to))
    }

    private func isOpen() throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains { descriptor in
            let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            return file?.hasPrefix(path) == true
        }
    }

    private func act(of owner: OwnerID) -> OwnerAct {
        OwnerAct(owner: owner, time: HandClock().now, entropy: .seeded(1))
    }

    private func addOwner() async throws -> OwnerID {
        var entropy = Entropy.system
        let owner = Owner(id: OwnerID(at: HandClock().now, using: &entropy), created: HandClock().now)
        try await SQLiteRegistryStore.opening(path).addOwner(owner, token: SecretDigest(of: owner.id.description))
        return owner.id
    }

    private func addBike(of owner: OwnerID) async throws -> (bike: Bike, owner: OwnerID) {
        (try await Self.register(Samples.identity(1), of: owner, in: .opening(path)), owner)
    }

    private static func register(
        _ identity: BeaconIdentity, of owner: OwnerID, in store: SQLiteRegistryStore
    ) async throws -> Bike {
        let bike = NewBike(
            id: BikeID(high: 9, low: UInt64(identity.minor)), owner: owner, details: Samples.bike,
            identity: .given(identity), created: HandClock().now
        )
        return try await store.registerBike(bike, once: nil)
    }
}
