import Foundation
import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("Sessions of browsers")
struct SessionTests {
    @Test("a new owner signs up with a passkey and gets ten recovery codes; the cookie is for this host and no page")
    func signUp() async throws {
        let registry = try Harness()
        let browser = Browser(registry)
        let answer = try await browser.signUp()
        #expect(answer.status == 201)
        let signedUp: SignedUp = try answer.value()
        #expect(signedUp.recoveryCodes.count == 10 && signedUp.owner.recoveryCodes == 10)
        #expect(signedUp.session.scope == .manage && signedUp.passkey.relyingParty == "registry.example")
        let cookie = try #require(answer.headers[.setCookie])
        #expect(cookie.hasPrefix("__Host-session=fmb_session_"))
        #expect(cookie.hasSuffix("; Max-Age=7776000; Path=/; Secure; HttpOnly; SameSite=Strict"))
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("fmb_session_"))
        let session: Session = try await browser.call(.get, "/v1/session", cookie: answer.cookie).value()
        #expect(session.current && session.id == signedUp.session.id)
        let tokens: Page<OwnerToken> = try await browser.call(.get, "/v1/owner/tokens", cookie: answer.cookie)
            .value()
        #expect(tokens.items.isEmpty)
    }

    @Test("signing up follows the policy for new owners, and repeating it renews the secrets until they are used")
    func repeatedSignUp() async throws {
        let registry = try Harness(registration: .invited)
        let browser = Browser(registry)
        #expect(try await browser.signUp().problem == "invitation-needed")
        let code: Invitation = try await registry.call(
            .post, "/v1/owner-invitations", token: try await registry.newOperator(), body: "{}"
        ).value()
        var request = try await browser.newSignUp(invitation: "mistyped")
        #expect(try await browser.post("/v1/sign-up", request).problem == "code-unusable")
        request.invitation = code.code
        let first = try await browser.post("/v1/sign-up", request)
        let second = try await browser.post("/v1/sign-up", request)
        #expect(first.status == 201 && second.status == 201)
        let (one, two): (SignedUp, SignedUp) = (try first.value(), try second.value())
        #expect(one.owner.id == two.owner.id && Set(one.recoveryCodes).isDisjoint(with: two.recoveryCodes))
        #expect(try await browser.call(.get, "/v1/session", cookie: first.cookie).problem == "session-ended")
        #expect(try await browser.call(.get, "/v1/session", cookie: second.cookie).status == 200)
        #expect(try await browser.post("/v1/sign-up", request).problem == "passkey-refused")
        // The invitation is used up.
        let other = Browser(registry)
        let late = try await other.newSignUp(invitation: code.code)
        #expect(try await other.post("/v1/sign-up", late).problem == "code-unusable")
    }

    @Test("an owner signs in by passkey, recovery code and token; what was used once is refused afterwards")
    func signIn() async throws {
        let registry = try Harness()
        let browser = Browser(registry)
        let signedUp: SignedUp = try await browser.signUp().value()
        let assertion = SignIn(name: "Phone", passkey: try await browser.assertion())
        let byPasskey = try await browser.post("/v1/sessions", assertion)
        #expect(byPasskey.status == 201)
        #expect(try byPasskey.value(Session.self).signedIn == .passkey)
        let replayed = try await browser.post("/v1/sessions", assertion)
        #expect(replayed.status == 403 && replayed.problem == "passkey-refused")

        let code = SignIn(recoveryCode: signedUp.recoveryCodes[0].lowercased())
        let byCode = try await browser.post("/v1/sessions", code)
        #expect(try byCode.value(Session.self).scope == .manage)
        #expect(try await browser.post("/v1/sessions", code).problem == "code-unusable")

        let draft = TokenDraft(name: "t", scope: .report)
        let token: OwnerTokenCreated = try await browser.post("/v1/owner/tokens", draft, cookie: byCode.cookie)
            .value()
        let byToken = try await browser.post("/v1/sessions", SignIn(token: token.token))
        let session: Session = try byToken.value()
        #expect(session.scope == .report && session.confirmedUntil == nil && session.name == "browser")
        let path = "/v1/owner/tokens/\(token.details.id)"
        #expect(try await browser.call(.delete, path, cookie: byToken.cookie).problem == "insufficient-scope")
        #expect(try await browser.call(.delete, path, cookie: byCode.cookie).status == 204)
        #expect(try await browser.call(.get, "/v1/owner", cookie: byToken.cookie).problem == "session-ended")
        let used = try await browser.post("/v1/sessions", SignIn(token: token.token))
        #expect(used.status == 403 && used.problem == "token-unusable")
    }

    @Test("exactly one proof is accepted", arguments: [#"{}"#, #"{"token":"x","recoveryCode":"y"}"#])
    func oneProof(body: String) async throws {
        let registry = try Harness()
        let answer = try await Browser(registry).call(.post, "/v1/sessions", body: body)
        #expect(answer.status == 422 && answer.pointers == ["/passkey"])
    }

    @Test("minutes after signing in, dangerous calls need a passkey or a recovery code again")
    func confirmation() async throws {
        let registry = try Harness()
        let browser = Browser(registry)
        let answer = try await browser.signUp()
        let (cookie, signedUp): (String?, SignedUp) = (answer.cookie, try answer.value())
        #expect(try await browser.post("/v1/bikes", Samples.bike, cookie: cookie).status == 201)
        registry.clock.advance(by: SessionState.confirmation)
        let refused = try await browser.post("/v1/bikes", Samples.bike, cookie: cookie)
        #expect(refused.status == 403 && refused.problem == "confirmation-needed")
        #expect(try await browser.call(.get, "/v1/bikes", cookie: cookie).status == 200)
        // A challenge for anyone, or for another owner, confirms nothing.
        let path = "/v1/session/confirmation"
        let foreign = SessionConfirmation(passkey: try await browser.assertion())
        #expect(try await browser.call(.put, path, foreign, cookie: cookie).problem == "passkey-refused")
        let other = Browser(registry)
        let stranger = try await other.signUp().cookie
        let theirs = SessionConfirmation(passkey: try await browser.assertion(challengeOf: stranger))
        #expect(try await browser.call(.put, path, theirs, cookie: cookie).problem == "passkey-refused")
        let wrong = SessionConfirmation(passkey: try await other.assertion(challengeOf: cookie))
        #expect(try await browser.call(.put, path, wrong, cookie: cookie).problem == "passkey-refused")

        let own = SessionConfirmation(passkey: try await browser.assertion(challengeOf: cookie))
        let confirmed: Session = try await browser.call(.put, path, own, cookie: cookie).value()
        #expect(confirmed.scope == .manage)
        #expect(try await browser.call(.put, path, own, cookie: cookie).problem == "passkey-refused")
        #expect(try await browser.post("/v1/bikes", Samples.bike, cookie: cookie).status == 201)
        registry.clock.advance(by: SessionState.confirmation)
        let code = SessionConfirmation(recoveryCode: signedUp.recoveryCodes[0])
        #expect(try await browser.call(.put, path, code, cookie: cookie).status == 200)
        #expect(try await browser.post("/v1/bikes", Samples.bike, cookie: cookie).status == 201)
    }

    @Test("a session lasts 90 days from its last use, and its cookie is prolonged with it")
    func sliding() async throws {
        let registry = try Harness()
        let browser = Browser(registry)
        let cookie = try await browser.signUp().cookie
        #expect(try await browser.call(.get, "/v1/session", cookie: cookie).headers[.setCookie] != nil)
        #expect(try await browser.call(.get, "/v1/session", cookie: cookie).headers[.setCookie] == nil)
        for _ in 0..<3 {
            registry.clock.advance(by: SessionState.lifetime - .seconds(1))
            let answer = try await browser.call(.get, "/v1/session", cookie: cookie)
            #expect(answer.status == 200 && answer.cookie == cookie)
        }
        registry.clock.advance(by: SessionState.lifetime)
        let ended = try await browser.call(.get, "/v1/session", cookie: cookie)
        #expect(ended.status == 401 && ended.headers[.setCookie]?.contains("Max-Age=0") == true)
    }

    @Test("sessions are listed, and end by signing out or from another device; only the latter is announced")
    func revocation() async throws {
        let registry = try Harness()
        let browser = Browser(registry)
        let first = try await browser.signUp()
        _ = try await browser.post("/v1/channels", Samples.webhook, cookie: first.cookie)
        registry.clock.advance(by: .milliseconds(1))
        let second = try await browser.post(
            "/v1/sessions", SignIn(name: "Library", passkey: try await browser.assertion()))
        #expect(try await registry.notices() == [OwnerNotice(.sessionCreated, subject: "Library")])
        let list: Page<Session> = try await browser.call(.get, "/v1/sessions", cookie: first.cookie).value()
        #expect(list.items.map(\.name) == ["browser", "Library"] && list.items.map(\.current) == [true, false])
        let id = try second.value(Session.self).id
        #expect(try await browser.call(.delete, "/v1/sessions/\(id)", cookie: first.cookie).status == 204)
        #expect(try await browser.call(.get, "/v1/owner", cookie: second.cookie).status == 401)
        #expect(try await registry.notices() == [OwnerNotice(.sessionRevoked, subject: "Library")])
        let out = try await browser.call(.delete, "/v1/session", cookie: first.cookie)
        #expect(out.status == 204 && out.headers[.setCookie]?.contains("Max-Age=0") == true)
        #expect(try await browser.call(.get, "/v1/owner", cookie: first.cookie).status == 401)
        #expect(try await browser.call(.delete, "/v1/session", cookie: first.cookie).status == 204)
        #expect(try await browser.call(.delete, "/v1/session").status == 204)
        #expect(try await registry.notices() == [])
    }

    @Test("signing in or up ends the session that the browser had, whoever it belonged to, but not if it is refused")
    func formerSession() async throws {
        let registry = try Harness()
        let (first, second) = (Browser(registry), Browser(registry))
        let former = try await first.signUp().cookie
        let refused = try await second.post("/v1/sessions", SignIn(token: "x"), cookie: former)
        #expect(refused.problem == "token-unusable")
        #expect(try await first.call(.get, "/v1/owner", cookie: former).status == 200)

        let next = try await second.post("/v1/sign-up", try await second.newSignUp(), cookie: former)
        #expect(next.status == 201)
        #expect(try await first.call(.get, "/v1/owner", cookie: former).problem == "session-ended")

        let token = try await registry.newOwner()
        let last = try await second.post("/v1/sessions", SignIn(token: token), cookie: next.cookie)
        #expect(last.status == 201)
        #expect(try await second.call(.get, "/v1/owner", cookie: next.cookie).problem == "session-ended")
        #expect(try await second.call(.get, "/v1/owner", cookie: last.cookie).status == 200)
    }

    @Test("without a public https URL nobody can sign in, and the answer says so")
    func unavailable() async throws {
        let registry = try Harness(publicURL: "http://registry.example")
        let answer = try await registry.call(.post, "/v1/passkeys/challenge")
        #expect(answer.status == 409 && answer.problem == "sign-in-unavailable")
        let browser = Browser(registry)
        #expect(try await browser.post("/v1/sessions", SignIn(token: "x")).problem == "sign-in-unavailable")
    }
}
