import Foundation
import RegistryAPI
import TestSupport
import Testing

@Suite("findmybike share, at a running registry", .timeLimit(.minutes(20)))
struct ShareTests {
    private let program: BuiltProgram
    private let folder: TemporaryFolder

    init() throws {
        program = try BuiltProgram("findmybike")
        folder = try TemporaryFolder()
    }

    private func run(_ registry: LiveRegistry, _ arguments: String...) async throws -> BuiltProgram.Result {
        try await program.run(
            arguments, environment: ["HOME": folder.file("home"), "FINDMYBIKE_REGISTRY_URL": registry.url])
    }

    @Test("an owner makes a link to a search, sees how often it was opened, and revokes it")
    func life() async throws {
        let registry = try await LiveRegistry(in: folder, "publicURL: https://registry.example\n")
        #expect(try await run(registry, "owner", "create").status == 0)
        let bike = ["bike", "register", "--kind", "bicycle", "--make", "A", "--model", "B", "--colour", "red"]
        let made = try await program.run(
            bike, environment: ["HOME": folder.file("home"), "FINDMYBIKE_REGISTRY_URL": registry.url])
        #expect(made.status == 0, "\(made.errors)")
        let early = try await run(registry, "share", "create")
        #expect(early.status != 0 && early.errors.contains("missing first"), "\(early.errors)")
        #expect(try await run(registry, "bike", "missing").status == 0)
        let shared = try await run(registry, "share", "create", "--label", "Police", "--ends", "in 3 days")
        let link = try #require(
            shared.output.firstMatch(of: /https:\/\/registry\.example\/share#(fmb_share_[\w-]{43})\n/),
            "\(shared.errors)")
        let list = try await run(registry, "share", "list")
        #expect(list.output.contains("Police") && list.output.contains("never"))
        #expect(!list.output.contains(link.output.1))
        let wrong = try await run(registry, "share", "create", "--ends", "in 31 days")
        #expect(wrong.status != 0 && wrong.errors.contains("30 days"), "\(wrong.errors)")
        #expect(try await run(registry, "share", "revoke", "club", "--yes").status == 65)
        let revoked = try await run(registry, "share", "revoke", "police", "--yes")
        #expect(revoked.status == 0 && revoked.output.contains("‘Police’"), "\(revoked.errors)")
        #expect(try await run(registry, "share", "list").output.contains("shared with nobody"))
    }
}
