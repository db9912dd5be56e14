import Testing

@Suite("findmybike share, at a running registry", .timeLimit(.minutes(20)))
struct ShareTests {
    @Test("an owner makes a link to a search, sees how often it was opened, and revokes it")
    func life() async throws {
        let registry = try await LiveRegistry("publicURL: https://registry.example\n")
        let owner = registry.person("owner")
        try await owner.becomeOwner()
        let early = await owner.run("share", "create")
        #expect(early.status != 0 && early.errors.contains("missing first"), "\(early.errors)")
        _ = try await owner.output("bike", "missing")
        let shared = try await owner.output("share", "create", "--label", "Police", "--ends", "in 3 days")
        let link = try #require(
            shared.firstMatch(of: /https:\/\/registry\.example\/share#(fmb_share_[\w-]{43})\n/), "\(shared)")
        let list = try await owner.output("share", "list")
        #expect(list.contains("Police") && list.contains("never"))
        #expect(!list.contains(link.output.1))
        let wrong = await owner.run("share", "create", "--ends", "in 31 days")
        #expect(wrong.status != 0 && wrong.errors.contains("30 days"), "\(wrong.errors)")
        #expect(await owner.run("share", "revoke", "club", "--yes").status == 65)
        #expect(try await owner.output("share", "revoke", "police", "--yes").contains("‘Police’"))
        #expect(try await owner.output("share", "list").contains("shared with nobody"))
    }
}
