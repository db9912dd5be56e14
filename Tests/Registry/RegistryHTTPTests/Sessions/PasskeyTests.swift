import Foundation
import HTTPTypes
import PasskeyTestSupport
import Passkeys
import RegistryAPI
import RegistrySQL
import RegistryTestSupport
import Synchronization
import Testing

@testable import Operations
@testable import RegistryHTTP
@testable import RegistryRules

@Suite("Passkeys of owners")
struct PasskeyTests {
    @Test("an owner adds, lists and removes passkeys; the sessions of a removed one end")
    func passkeys() async throws {
        let registry = try Harness()
        let browser = Browser(registry)
        let cookie = try await browser.signUp().cookie
        _ = try await browser.post("/v1/channels", Samples.webhook, cookie: cookie)
        registry.clock.advance(by: .milliseconds(1))
        var phone = Browser(registry)
        let challenge = try await browser.challenge(of: cookie)
        #expect(challenge.credentials.map(\.bytes) == [browser.authenticator.credentialID])
        let draft = PasskeyDraft(name: "Phone", passkey: phone.authenticator.registration(challenge))
        let added = try await browser.post("/v1/passkeys", draft, cookie: cookie)
        #expect(added.status == 201)
        let passkey: Passkey = try added.value()
        #expect(try await registry.notices() == [OwnerNotice(.passkeyAdded, subject: "Phone")])
        #expect(try await browser.post("/v1/passkeys", draft, cookie: cookie).problem == "passkey-refused")
        phone.user = challenge.user
        let session = try await phone.post("/v1/sessions", SignIn(passkey: try await phone.assertion()))
        #expect(session.status == 201)
        let list: Page<Passkey> = try await browser.call(.get, "/v1/passkeys", cookie: cookie).value()
        #expect(list.items.map(\.name) == ["browser", "Phone"] && list.items[1].lastUsed == registry.clock.now)
        #expect(try await browser.call(.delete, "/v1/passkeys/\(passkey.id)", cookie: cookie).status == 204)
        #expect(try await browser.call(.get, "/v1/owner", cookie: session.cookie).status == 401)
        let late = try await phone.post("/v1/sessions", SignIn(passkey: try await phone.assertion()))
        #expect(late.problem == "passkey-refused")
        #expect(try late.value(ProblemDetails.self).detail.contains("removed"))
        let export: OwnerExport = try await browser.call(.get, "/v1/owner/export", cookie: cookie).value()
        #expect(export.sessions.count == 1 && export.passkeys.map(\.name) == ["browser"])
    }

    @Test("a challenge of one owner cannot be used by another, and one for anyone adds no passkey")
    func challenges() async throws {
        let registry = try Harness()
        let (browser, other) = (Browser(registry), Browser(registry))
        let (cookie, stranger) = (try await browser.signUp().cookie, try await other.signUp().cookie)
        for challenge in [try await other.challenge(of: stranger), try await browser.challenge()] {
            let registration = SoftwareAuthenticator().registration(challenge)
            let draft = PasskeyDraft(name: "Phone", passkey: registration)
            #expect(try await browser.post("/v1/passkeys", draft, cookie: cookie).problem == "passkey-refused")
        }
        // A challenge for an owner signs nobody up or in.
        let challenge = try await browser.challenge(of: cookie)
        let up = SignUp(passkey: SoftwareAuthenticator().registration(challenge))
        #expect(try await browser.post("/v1/sign-up", up).problem == "passkey-refused")
        let assertion = try browser.authenticator.assertion(challenge)
        #expect(try await browser.post("/v1/sessions", SignIn(passkey: assertion)).problem == "passkey-refused")
    }

    @Test("a passkey that answers for another owner's identifier is refused")
    func userHandle() async throws {
        let registry = try Harness()
        let browser = Browser(registry)
        _ = try await browser.signUp()
        var assertion = try await browser.assertion()
        assertion.userHandle = Base64URL(Array(repeating: 1, count: 16))
        #expect(try await browser.post("/v1/sessions", SignIn(passkey: assertion)).problem == "passkey-refused")
    }

    @Test("a copied passkey is refused, and its owner is told")
    func copied() async throws {
        let registry = try Harness()
        let browser = Browser(registry)
        let cookie = try await browser.signUp().cookie
        _ = try await browser.post("/v1/channels", Samples.webhook, cookie: cookie)
        var ceremony = SoftwareAuthenticator.Ceremony()
        ceremony.counter = 5
        let first = SignIn(passkey: try await browser.assertion(ceremony))
        #expect(try await browser.post("/v1/sessions", first).status == 201)
        let copy = SignIn(passkey: try await browser.assertion(ceremony))
        #expect(try await browser.post("/v1/sessions", copy).problem == "passkey-copied")
        #expect(try await registry.notices().map(\.event).contains(.passkeyCopied))
    }

    @Test("the challenge's path is not a passkey's")
    func challengePath() async throws {
        let registry = try Harness()
        for method in [HTTPRequest.Method.put, .delete] {
            let answer = try await registry.call(method, "/v1/passkeys/challenge")
            #expect(answer.status == 405 && answer.headers[.allow] == "POST", "\(method)")
        }
    }

    @Test("a challenge expires by the monotonic clock, and is used once")
    func expiry() async throws {
        let now = HandSeconds()
        let challenges = PasskeyChallenges(rememberedIn: LocalChallengeMemory { now.value })
        var generator = Entropy.seeded(1)
        let user = OwnerID(high: 1, low: 2).octets
        let bytes = try await challenges.make(.anyone, user: user, using: &generator)
        now.set(Int64(PasskeyChallenges.lifetime) - 1)
        let challenge = try await challenges.read(bytes, for: .anyone)
        #expect(challenge.user == user)
        #expect(try await challenges.use(challenge))
        #expect(!(try await challenges.use(challenge)))
        await #expect(throws: DomainError.passkeyRefused(.wrongChallenge)) {
            _ = try await challenges.read(bytes, for: .owner)
        }
        now.set(Int64(PasskeyChallenges.lifetime))
        await #expect(throws: DomainError.passkeyRefused(.wrongChallenge)) {
            _ = try await challenges.read(bytes, for: .anyone)
        }
    }

    @Test("a challenge can be used again if the registry was too busy to store what it was for")
    func busy() async throws {
        let registry = try Harness()
        let operations = registry.operations
        var generator = Entropy.seeded(7)
        let bytes = try await operations.challenges.make(
            .anyone, user: OwnerID(high: 1, low: 2).octets, using: &generator)
        let challenge = try await operations.challenges.read(bytes, for: .anyone)
        for error in [DomainError.overloaded, .codeUnusable, .passkeyRefused(.unknown)] {
            #expect(try await operations.challenges.use(challenge), "before \(error)")
            await #expect(throws: error) { try await operations.releasing(challenge) { () -> Void in throw error } }
        }
        #expect(!(try await operations.challenges.use(challenge)))
    }

    @Test("a used challenge stays used while it is valid, and can be used again if it was released")
    func periods() async throws {
        let now = HandSeconds()
        let challenges = PasskeyChallenges(rememberedIn: LocalChallengeMemory { now.value })
        var generator = Entropy.seeded(1)
        func make() async throws -> Challenge {
            let bytes = try await challenges.make(.anyone, user: OwnerID(high: 1, low: 2).octets, using: &generator)
            return try await challenges.read(bytes, for: .anyone)
        }
        let (old, released) = (try await make(), try await make())
        now.set(299)
        let late = try await make()
        for challenge in [old, released, late] { #expect(try await challenges.use(challenge)) }
        now.set(301)
        #expect(try await challenges.use(try await make()))
        now.set(598)
        #expect(!(try await challenges.use(late)))
        await challenges.release(released)
        #expect(try await challenges.use(released))
        #expect(!(try await challenges.use(released)))
    }
}

private final class HandSeconds: Sendable {
    private let seconds = Atomic<Int64>(0)

    var value: Int64 { seconds.load(ordering: .relaxed) }

    func set(_ value: Int64) { seconds.store(value, ordering: .relaxed) }
}
