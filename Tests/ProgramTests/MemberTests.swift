import Foundation
import RegistryAPI
import TestSupport
import Testing

@Suite("findmybike member and join, at a running registry", .timeLimit(.minutes(20)))
struct MemberTests {
    private let program: BuiltProgram
    private let folder: TemporaryFolder

    init() throws {
        program = try BuiltProgram("findmybike")
        folder = try TemporaryFolder()
    }

    /// Runs the program as a person, each of whom has an own home folder.
    private func run(
        _ registry: LiveRegistry, as person: String, _ arguments: String...
    ) async throws -> BuiltProgram.Result {
        try await program.run(
            arguments, environment: ["HOME": folder.file(person), "FINDMYBIKE_REGISTRY_URL": registry.url])
    }

    @Test("an owner invites somebody, who joins, reports the bike missing within the role, and leaves")
    func life() async throws {
        let registry = try await LiveRegistry(in: folder)
        for person in ["owner", "anna"] { #expect(try await run(registry, as: person, "owner", "create").status == 0) }
        let made = try await run(
            registry, as: "owner", "bike", "register", "--kind", "bicycle", "--make", "A", "--model", "B", "--colour",
            "red")
        #expect(made.status == 0, "\(made.errors)")
        #expect(try await run(registry, as: "owner", "member", "list").output.contains("with nobody"))
        let invited = try await run(
            registry, as: "owner", "member", "invite", "--role", "report", "--label", "Anna", "--json")
        let invitation = try JSONDecoder().decode(MemberInvitationCreated.self, from: Data(invited.output.utf8))
        #expect(try await run(registry, as: "owner", "member", "list").output.contains("invited, the link works until"))
        let unsure = try await run(registry, as: "anna", "join", invitation.secret)
        #expect(unsure.status == 64 && unsure.errors.contains("Share the bicycle A B as ‘Anna’"), "\(unsure.errors)")
        let joined = try await run(
            registry, as: "anna", "join", "https://any.example/join#\(invitation.secret)", "--yes")
        #expect(joined.status == 0 && joined.output.contains("A B is shared with you"), "\(joined.errors)")
        let again = try await run(registry, as: "anna", "join", invitation.secret, "--yes")
        #expect(again.status != 0 && again.errors.contains("Ask for a new one"), "\(again.errors)")
        let bikes = try await run(registry, as: "anna", "bike", "list").output
        #expect(bikes.contains("YOUR ROLE") && bikes.contains("report"))
        #expect(try await run(registry, as: "anna", "bike", "show").output.contains("somebody else’s"))
        let missing = try await run(registry, as: "anna", "bike", "missing")
        #expect(missing.status == 0, "\(missing.errors)")
        for person in ["owner", "anna"] {
            let reports = try await run(registry, as: person, "report", "list").output
            #expect(reports.contains("REPORTED BY") && reports.contains("Anna"), "\(reports)")
        }
        let erased = try await run(registry, as: "anna", "bike", "erase", "--yes")
        #expect(erased.status != 0 && erased.errors.contains("Only the bike’s owner can do this"), "\(erased.errors)")
        let lowered = try await run(registry, as: "owner", "member", "role", "anna", "see", "a b")
        #expect(lowered.status == 0 && lowered.output.contains("‘see’"), "\(lowered.errors)")
        let found = try await run(registry, as: "anna", "bike", "found")
        #expect(found.status != 0 && found.errors.contains("role ‘report’"), "\(found.errors)")
        let left = try await run(registry, as: "anna", "member", "leave", "--yes")
        #expect(left.status == 0 && left.output.contains("no longer shared with you"), "\(left.errors)")
        #expect(try await run(registry, as: "anna", "bike", "list").output.contains("No bikes yet"))
        let own = try await run(registry, as: "owner", "member", "leave", "--yes")
        #expect(own.status == 65 && own.errors.contains("is your own"))
    }

    @Test("an invitation is cancelled and a member removed by label")
    func removal() async throws {
        let registry = try await LiveRegistry(in: folder)
        for person in ["owner", "ben"] { #expect(try await run(registry, as: person, "owner", "create").status == 0) }
        #expect(
            try await run(
                registry, as: "owner", "bike", "register", "--kind", "bicycle", "--make", "A", "--model", "B",
                "--colour", "red"
            ).status == 0)
        for label in ["Ben", "Carla"] {
            let invited = try await run(
                registry, as: "owner", "member", "invite", "--role", "see", "--label", label, "--json")
            let made = try JSONDecoder().decode(MemberInvitationCreated.self, from: Data(invited.output.utf8))
            if label == "Ben" { #expect(try await run(registry, as: "ben", "join", made.secret, "--yes").status == 0) }
        }
        let unsure = try await run(registry, as: "owner", "member", "cancel", "carla")
        #expect(unsure.status == 64 && unsure.errors.contains("Cancel the invitation for Carla to A B?"))
        #expect(try await run(registry, as: "owner", "member", "cancel", "carla", "a b", "--yes").status == 0)
        let list = try await run(registry, as: "owner", "member", "list").output
        #expect(list.contains("Ben") && !list.contains("Carla"))
        #expect(try await run(registry, as: "owner", "member", "remove", "Ben").status == 64)
        let removed = try await run(registry, as: "owner", "member", "remove", "Ben", "a b", "--yes")
        #expect(removed.status == 0 && removed.output.contains("no longer"), "\(removed.errors)")
        #expect(try await run(registry, as: "ben", "bike", "list").output.contains("No bikes yet"))
    }
}
