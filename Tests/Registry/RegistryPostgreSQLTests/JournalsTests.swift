import Foundation
import PostgreSQL
import PostgreSQLTestSupport
import RegistryAPI
import RegistryRules
import RegistrySQL
import TestSupport
import Testing

@testable import RegistryPostgreSQL
@testable import RegistryStoreContract

@Suite("Erasures and revocations after a backup of PostgreSQL was restored", .timeLimit(.minutes(20)))
struct JournalsTests {
    private let folder: TemporaryFolder
    private var journal: String { folder.file("journal") }

    init() throws { folder = try TemporaryFolder() }

    private func open(_ url: String, journal: String? = nil) async throws -> PostgreSQLRegistryStore {
        try await PostgreSQLRegistryStore.open(try TestDatabase.server(url, journal: journal))
    }

    /// Two owners, one of whom is erased; the other one's token is revoked. Passes on their identifiers, and a copy of
    /// the database from before that.
    private func registry(
        _ url: String, restored: (_ backup: String, _ erased: OwnerID, _ kept: OwnerID) async throws -> Void
    ) async throws {
        let store = try await open(url, journal: journal)
        #expect(try await store.openJournals() == ReplayedEntries())
        let stage = Stage(store)
        let (erased, kept) = (try await stage.owner(), try await stage.owner())
        let token = try await stage.token("t", of: kept)
        await store.close()
        try await TestDatabase.copying(url) { backup in
            let store = try await open(url, journal: journal)
            _ = try await store.openJournals()
            let stage = Stage(store)
            try await store.revokeToken(token.id, by: stage.act(of: kept))
            try await store.eraseOwner(try #require(try await store.owner(erased)), by: stage.act(of: erased))
            await store.close()
            try await restored(backup, erased, kept)
        }
    }

    @Test("what a process erases and revokes is in its journals before anyone is answered")
    func atOnce() async throws {
        try await TestDatabase.with { url in
            let store = try await open(url, journal: journal)
            _ = try await store.openJournals()
            let stage = Stage(store)
            let (erased, kept) = (try await stage.owner(), try await stage.owner())
            let token = try await stage.token("t", of: kept)
            try await store.revokeToken(token.id, by: stage.act(of: kept))
            let noted = Journals(path: journal)
            #expect(try noted.revocations.entries().map(\.digest) == [SecretDigest(of: "t")])
            try await store.eraseOwner(try #require(try await store.owner(erased)), by: stage.act(of: erased))
            #expect(try noted.erasures.entries().map(\.erasure) == [.owner(erased)])
            let lines = try lines()
            try await store.recordInJournals()
            #expect(try self.lines() == lines, "nothing twice")
            await store.close()
        }
    }

    @Test("while a journal cannot be written, only what it needs fails")
    func unwritable() async throws {
        try await TestDatabase.with { url in
            let store = try await open(url, journal: folder.file("none/journal"))
            let stage = Stage(store)
            let owner = try await stage.owner()
            let token = try await stage.token("t", of: owner)
            await #expect(throws: DomainError.self) { try await store.revokeToken(token.id, by: stage.act(of: owner)) }
            #expect(try await store.credential(token: SecretDigest(of: "t")) == nil)
            _ = try await stage.token("u", of: owner)
            await store.close()
        }
    }

    @Test("a process that starts ends again what the restored backup had brought back, and repeats nothing twice")
    func start() async throws {
        try await TestDatabase.with { url in
            try await registry(url) { backup, erased, kept in
                let store = try await open(backup, journal: journal)
                #expect(try await store.owner(erased) != nil)
                #expect(try await store.credential(token: SecretDigest(of: "t")) != nil)
                let replayed = try await store.openJournals()
                #expect(replayed.erasures == 1 && replayed.revocations >= 1)
                #expect(try await store.owner(erased) == nil)
                #expect(try await store.credential(token: SecretDigest(of: "\(erased)")) == nil)
                #expect(try await store.credential(token: SecretDigest(of: "t")) == nil)
                #expect(try await store.owner(kept) != nil)
                #expect(try await store.credential(token: SecretDigest(of: "\(kept)")) != nil)
                _ = try await store.verifyAudit()
                let lines = try lines()
                #expect(try await store.openJournals() == ReplayedEntries())
                #expect(try self.lines() == lines)
                await store.close()
            }
        }
    }

    @Test("after a restore the journals of all processes are repeated, and again do nothing")
    func afterRestore() async throws {
        try await TestDatabase.with { url in
            try await registry(url) { backup, erased, _ in
                let store = try await open(backup)
                let replayed = try await store.replayJournal(at: journal)
                #expect(replayed.erasures == 1 && replayed.revocations >= 1)
                #expect(try await store.owner(erased) == nil)
                #expect(try await store.credential(token: SecretDigest(of: "t")) == nil)
                #expect(try await store.replayJournal(at: journal) == ReplayedEntries())
                #expect(try await store.replayJournal(at: folder.file("none")) == ReplayedEntries())
                await store.close()
            }
        }
    }

    @Test("the journal of another process has the same entries, also of what happened while it did not run")
    func other() async throws {
        try await TestDatabase.with { url in
            try await registry(url) { _, erased, _ in
                let other = folder.file("other")
                let store = try await open(url, journal: other)
                _ = try await store.openJournals()
                let entries = try Journals(path: other).erasures.entries().map(\.erasure)
                #expect(entries == [.owner(erased)])
                #expect(
                    try Set(Journals(path: other).revocations.entries().map(\.digest))
                        == Set(Journals(path: journal).revocations.entries().map(\.digest)))
                await store.close()
            }
        }
    }

    private func lines() throws -> [String] {
        try [".erasures", ".revocations"].map { try String(contentsOfFile: journal + $0, encoding: .utf8) }
    }
}
