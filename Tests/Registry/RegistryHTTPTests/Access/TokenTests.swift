import FoundationEssentials
import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@Suite("An owner's tokens")
struct TokenTests {
    @Test("tokens are listed by name and scope, and a revoked token no longer works")
    func tokens() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        _ = try await registry.post("/v1/channels", token: owner, Samples.webhook)
        registry.clock.advance(by: .milliseconds(1))
        let draft = TokenDraft(name: "phone", scope: .report)
        let answer = try await registry.post("/v1/owner/tokens", token: owner, draft)
        let created: OwnerTokenCreated = try answer.value()
        #expect(answer.status == 201)
        #expect(answer.headers[.location] == "/v1/owner/tokens/\(created.details.id)")
        #expect(try await registry.notices() == [OwnerNotice(.tokenCreated, subject: "phone")])
        let list = try await registry.call(.get, "/v1/owner/tokens", token: owner)
        let tokens: Page<OwnerToken> = try list.value()
        #expect(tokens.items.map(\.name) == ["first", "phone"])
        #expect(tokens.items.map(\.scope) == [.manage, .report])
        #expect(!String(decoding: list.body, as: UTF8.self).contains("fmb_owner"))
        let path = "/v1/owner/tokens/\(created.details.id)"
        #expect(try await registry.call(.delete, path, token: try await registry.newOwner()).status == 404)
        #expect(try await registry.call(.delete, path, token: owner).status == 204)
        #expect(try await registry.call(.get, "/v1/owner", token: created.token).status == 401)
        #expect(try await registry.call(.delete, path, token: owner).status == 404)
    }

    @Test("a token's last use is recorded to the hour")
    func lastUse() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let start = registry.clock.now
        let used = { () -> Timestamp? in
            let page: Page<OwnerToken> = try await registry.call(.get, "/v1/owner/tokens", token: owner).value()
            return page.items.first?.lastUsed
        }
        #expect(try await used() == start)
        registry.clock.advance(by: .seconds(3599))
        #expect(try await used() == start)
        registry.clock.advance(by: .seconds(1))
        #expect(try await used() == registry.clock.now)
    }

    @Test("repeating the request for a token gives the same token a new secret until it has been used")
    func repeatedToken() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let draft = TokenDraft(name: "phone", scope: .read)
        var tokens: [OwnerTokenCreated] = []
        for _ in 0..<2 {
            tokens.append(try await registry.post("/v1/owner/tokens", token: owner, draft, key: "a").value())
        }
        #expect(tokens[0].details == tokens[1].details)
        #expect(try await registry.call(.get, "/v1/owner", token: tokens[0].token).status == 401)
        #expect(try await registry.call(.get, "/v1/owner", token: tokens[1].token).status == 200)
        let late = try await registry.post("/v1/owner/tokens", token: owner, draft, key: "a")
        #expect(late.status == 409 && late.problem == "token-in-use")
    }
}
