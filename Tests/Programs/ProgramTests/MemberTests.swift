import RegistryAPI
import Testing

@Suite("findmybike member and join, at a running registry", .timeLimit(.minutes(20)))
struct MemberTests {
    @Test("an owner invites somebody, who joins, reports the bike missing within the role, and leaves")
    func life() async throws {
        let registry = try await LiveRegistry()
        let (owner, anna) = (registry.person("owner"), registry.person("anna"))
        try await owner.becomeOwner()
        _ = try await anna.output("owner", "create")
        #expect(try await owner.output("member", "list").contains("with nobody"))
        let invitation: MemberInvitationCreated = try await owner.value(
            "member", "invite", "--role", "report", "--label", "Anna")
        #expect(try await owner.output("member", "list").contains("invited, the link works until"))
        let unsure = await anna.run("join", invitation.secret)
        #expect(unsure.status == 64 && unsure.errors.contains("Share the bicycle A B as ‘Anna’"), "\(unsure.errors)")
        let link = "https://any.example/join#\(invitation.secret)"
        #expect(try await anna.output("join", link, "--yes").contains("A B is shared with you"))
        let again = await anna.run("join", invitation.secret, "--yes")
        #expect(again.status != 0 && again.errors.contains("Ask for a new one"), "\(again.errors)")
        let bikes = try await anna.output("bike", "list")
        #expect(bikes.contains("YOUR ROLE") && bikes.contains("report"))
        #expect(try await anna.output("bike", "show").contains("somebody else’s"))
        _ = try await anna.output("bike", "missing")
        for person in [owner, anna] {
            let reports = try await person.output("report", "list")
            #expect(reports.contains("REPORTED BY") && reports.contains("Anna"), "\(reports)")
        }
        let erased = await anna.run("bike", "erase", "--yes")
        #expect(erased.status != 0 && erased.errors.contains("Only the bike’s owner can do this"), "\(erased.errors)")
        #expect(try await owner.output("member", "role", "anna", "see", "a b").contains("‘see’"))
        let found = await anna.run("bike", "found")
        #expect(found.status != 0 && found.errors.contains("role ‘report’"), "\(found.errors)")
        #expect(try await anna.output("member", "leave", "--yes").contains("no longer shared with you"))
        #expect(try await anna.output("bike", "list").contains("No bikes yet"))
        let own = await owner.run("member", "leave", "--yes")
        #expect(own.status == 65 && own.errors.contains("is your own"))
    }

    @Test("an invitation is cancelled and a member removed by label")
    func removal() async throws {
        let registry = try await LiveRegistry()
        let (owner, ben) = (registry.person("owner"), registry.person("ben"))
        try await owner.becomeOwner()
        _ = try await ben.output("owner", "create")
        for label in ["Ben", "Carla"] {
            let invitation: MemberInvitationCreated = try await owner.value(
                "member", "invite", "--role", "see", "--label", label)
            if label == "Ben" { _ = try await ben.output("join", invitation.secret, "--yes") }
        }
        let unsure = await owner.run("member", "cancel", "carla")
        #expect(unsure.status == 64 && unsure.errors.contains("Cancel the invitation for Carla to A B?"))
        _ = try await owner.output("member", "cancel", "carla", "a b", "--yes")
        let list = try await owner.output("member", "list")
        #expect(list.contains("Ben") && !list.contains("Carla"))
        #expect(await owner.run("member", "remove", "Ben").status == 64)
        #expect(try await owner.output("member", "remove", "Ben", "a b", "--yes").contains("no longer"))
        #expect(try await ben.output("bike", "list").contains("No bikes yet"))
    }
}
