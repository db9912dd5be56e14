import Foundation
import HTTPTypes
import PasskeyTestSupport
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("Operators' sessions in browsers")
struct DeskTests {
    private static let path = "/v1/desk/session"

    @Test("an operator signs in with the token; the cookie is apart from an owner's, and no token")
    func signIn() async throws {
        let registry = try Harness()
        let browser = Browser(registry)
        let token = try await registry.newOperator()
        let answer = try await browser.post(Self.path, DeskSignIn(name: "Firefox", token: token))
        #expect(answer.status == 201)
        let cookie = try #require(answer.headers[.setCookie])
        #expect(cookie.hasPrefix("__Host-desk=fmb_desk_"))
        #expect(cookie.hasSuffix("; Max-Age=43200; Path=/; Secure; HttpOnly; SameSite=Strict"))
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("fmb_desk_"))
        let session: DeskSession = try await browser.call(.get, Self.path, cookie: answer.cookie).value()
        #expect(session.operator.name == "test" && session.name == "Firefox" && session.signedIn == .token)
        #expect(session.current && session.passkeys == 0 && session.confirmedUntil != nil)
        #expect(session.ends == registry.clock.now.advanced(by: .seconds(3600)))
        #expect(try await browser.call(.get, "/v1/stations", cookie: answer.cookie).status == 200)
        #expect(try await browser.call(.get, "/v1/owner", cookie: answer.cookie).status == 401)
        let secret = try #require(answer.cookie).split(separator: "=").last.map(String.init)
        #expect(try await registry.call(.get, "/v1/stations", token: secret).status == 401)
        let both = "\(try #require(answer.cookie)); \(try #require(try await browser.signUp().cookie))"
        #expect(try await browser.call(.get, "/v1/stations", cookie: both).status == 200)
        #expect(try await browser.call(.get, "/v1/owner", cookie: both).status == 200)
        let out = try await browser.call(.delete, Self.path, cookie: both)
        #expect(out.status == 204 && out.headers[.setCookie]?.hasPrefix("__Host-desk=;") == true)
        let ended = try await browser.call(.get, "/v1/stations", cookie: both)
        #expect(ended.problem == "session-ended" && ended.headers[.setCookie]?.hasPrefix("__Host-desk=;") == true)
        #expect(try await browser.call(.get, "/v1/owner", cookie: both).status == 200)
    }

    @Test("tokens of owners and stations, and made-up ones, open nothing; exactly one proof is accepted")
    func refused() async throws {
        let registry = try Harness()
        let browser = Browser(registry)
        for token in [try await registry.newOwner(), try await registry.newStation().token, "x"] {
            let answer = try await browser.post(Self.path, DeskSignIn(token: token))
            #expect(answer.status == 403 && answer.problem == "token-unusable" && answer.headers[.setCookie] == nil)
        }
        #expect(try await browser.call(.post, Self.path, body: "{}").pointers == ["/passkey"])
        // An owner's passkey is no operator's.
        _ = try await browser.signUp()
        let assertion = try await browser.assertion()
        #expect(try await browser.post(Self.path, DeskSignIn(passkey: assertion)).problem == "passkey-refused")
        #expect(try await browser.call(.get, Self.path).status == 401)
        let token = try await registry.newOperator()
        #expect(try await registry.call(.get, Self.path, token: token).problem == "not-found")
    }

    @Test("without a passkey the token confirms; with one, only the passkey does, for five minutes")
    func confirmation() async throws {
        let registry = try Harness()
        let browser = Browser(registry)
        let token = try await registry.newOperator()
        let cookie = try await browser.post(Self.path, DeskSignIn(token: token)).cookie
        let draft = OperatorDraft(name: "Ada")
        #expect(try await browser.post("/v1/operators", draft, cookie: cookie).status == 201)
        registry.clock.advance(by: DeskSessionState.confirmation)
        let refused = try await browser.post("/v1/operators", draft, cookie: cookie)
        #expect(refused.status == 403 && refused.problem == "confirmation-needed")
        #expect(try await registry.post("/v1/operators", token: token, draft).status == 201)
        let path = "\(Self.path)/confirmation"
        let challenge = try await browser.deskChallenge(cookie)
        let new = PasskeyDraft(name: "Key", passkey: browser.authenticator.registration(challenge))
        #expect(try await browser.post("/v1/desk/passkeys", new, cookie: cookie).problem == "confirmation-needed")
        #expect(try await browser.post(path, DeskConfirmation(token: token), cookie: cookie).status == 200)
        let added = try await browser.post("/v1/desk/passkeys", new, cookie: cookie)
        #expect(added.status == 201, "\(String(decoding: added.body, as: UTF8.self))")
        // Now the token is no longer enough.
        #expect(try await browser.post("/v1/operators", draft, cookie: cookie).problem == "confirmation-needed")
        let again: DeskSession = try await browser.post(path, DeskConfirmation(token: token), cookie: cookie)
            .value()
        #expect(again.confirmedUntil == nil && again.passkeysUntil != nil && again.passkeys == 1)
        let assertion = try browser.authenticator.assertion(try await browser.deskChallenge(cookie))
        let confirmed: DeskSession = try await browser.post(
            path, DeskConfirmation(passkey: assertion), cookie: cookie
        ).value()
        #expect(confirmed.confirmedUntil == registry.clock.now.advanced(by: .seconds(300)))
        #expect(try await browser.post(path, DeskConfirmation(passkey: assertion), cookie: cookie).status == 403)
        #expect(try await browser.post("/v1/operators", draft, cookie: cookie).status == 201)
    }

    @Test("a passkey signs in, and its removal ends that session; challenges of others do not fit")
    func passkey() async throws {
        let registry = try Harness()
        let browser = Browser(registry)
        let token = try await registry.newOperator()
        let cookie = try await browser.post(Self.path, DeskSignIn(token: token)).cookie
        let passkey = try await browser.newDeskPasskey(cookie)
        let known = try await browser.deskChallenge(cookie)
        #expect(known.credentials == [Base64URL(browser.authenticator.credentialID)])
        let anyone = try await browser.deskChallenge(nil)
        #expect(anyone.credentials.isEmpty)
        // A challenge of this operator is for confirmations only.
        let foreign = DeskSignIn(passkey: try browser.authenticator.assertion(known))
        #expect(try await browser.post(Self.path, foreign).problem == "passkey-refused")
        let answer = try await browser.post(Self.path, DeskSignIn(passkey: try browser.authenticator.assertion(anyone)))
        let session: DeskSession = try answer.value()
        #expect(session.signedIn == .passkey && session.confirmedUntil != nil)
        let other = Browser(registry)
        let stranger = try await other.post(Self.path, DeskSignIn(token: try await registry.newOperator())).cookie
        let theirs = try browser.authenticator.assertion(try await browser.deskChallenge(stranger))
        let stolen = try await browser.post(
            "\(Self.path)/confirmation", DeskConfirmation(passkey: theirs), cookie: answer.cookie)
        #expect(stolen.problem == "passkey-refused")
        let list: Page<DeskSession> = try await browser.call(.get, "/v1/desk/sessions", cookie: cookie).value()
        #expect(list.items.map(\.signedIn) == [.token, .passkey] && list.items.map(\.current) == [true, false])
        #expect(try await browser.call(.delete, "/v1/desk/passkeys/\(passkey.id)", cookie: cookie).status == 204)
        #expect(try await browser.call(.get, Self.path, cookie: answer.cookie).problem == "session-ended")
        let left: Page<Passkey> = try await browser.call(.get, "/v1/desk/passkeys", cookie: cookie).value()
        #expect(left.items.isEmpty)
        #expect(try await browser.call(.delete, "/v1/desk/sessions/\(list.items[0].id)", cookie: cookie).status == 204)
        #expect(try await browser.call(.get, Self.path, cookie: cookie).problem == "session-ended")
    }

    @Test("a session ends an hour after its last use; what a page repeats by itself is no use")
    func ends() async throws {
        let registry = try Harness()
        let browser = Browser(registry)
        let token = try await registry.newOperator()
        let used = try await browser.post(Self.path, DeskSignIn(token: token)).cookie
        let forgotten = try await browser.post(Self.path, DeskSignIn(token: token)).cookie
        for _ in 1...3 {
            registry.clock.advance(by: .seconds(1199))
            #expect(try await browser.call(.get, "/v1/stations", cookie: used).status == 200)
            #expect(try await browser.call(.get, "/v1/overview", cookie: forgotten).status == 200)
            #expect(try await browser.call(.get, "/v1/station-map", cookie: forgotten).status == 200)
        }
        registry.clock.advance(by: .seconds(3))
        #expect(try await browser.call(.get, "/v1/overview", cookie: forgotten).problem == "session-ended")
        for _ in 1...12 {
            #expect(try await browser.call(.get, "/v1/stations", cookie: used).status == 200)
            registry.clock.advance(by: .seconds(3590))
        }
        #expect(try await browser.call(.get, "/v1/stations", cookie: used).problem == "session-ended")
    }

    @Test("a revoked operator's sessions and passkeys end at once")
    func revoked() async throws {
        let registry = try Harness()
        let browser = Browser(registry)
        let token = try await registry.newOperator()
        let cookie = try await browser.post(Self.path, DeskSignIn(token: token)).cookie
        _ = try await browser.newDeskPasskey(cookie)
        let session: DeskSession = try await browser.call(.get, Self.path, cookie: cookie).value()
        let path = "/v1/operators/\(session.operator.id)"
        #expect(try await registry.call(.delete, path, token: try await registry.newOperator()).status == 200)
        #expect(try await browser.call(.get, Self.path, cookie: cookie).problem == "session-ended")
        let assertion = try browser.authenticator.assertion(try await browser.deskChallenge(nil))
        #expect(try await browser.post(Self.path, DeskSignIn(passkey: assertion)).problem == "passkey-refused")
        #expect(try await browser.post(Self.path, DeskSignIn(token: token)).problem == "token-unusable")
    }

    @Test("other sites cannot make an operator's browser change anything, or sign it in")
    func otherSites() async throws {
        let registry = try Harness()
        let token = try await registry.newOperator()
        let cookie = try await Browser(registry).post(Self.path, DeskSignIn(token: token)).cookie
        for (fields, isOwn) in CrossSiteTests.fields {
            var headers = CrossSiteTests.headers(fields)
            let signIn = try await registry.call(.post, Self.path, body: #"{"token":"\#(token)"}"#, headers: headers)
            #expect(signIn.status == (isOwn ? 201 : 403), "\(fields)")
            headers[.cookie] = cookie
            let invited = try await registry.call(.post, "/v1/owner-invitations", body: "{}", headers: headers)
            #expect(invited.status == (isOwn ? 201 : 403), "\(fields)")
            #expect(isOwn || invited.problem == "cross-site", "\(fields)")
        }
    }

    @Test("at an unlocked desk, nothing can be changed without a fresh proof, except that sessions can be ended")
    func table() async throws {
        let registry = try Harness()
        let browser = Browser(registry)
        let cookie = try await browser.post(Self.path, DeskSignIn(token: try await registry.newOperator())).cookie
        registry.clock.advance(by: DeskSessionState.confirmation)
        for call in registry.calls() where call.access == .operator {
            let path = call.path.split(separator: "/").map { $0.hasPrefix(":") ? "/\(UUID())" : "/\($0)" }
                .joined()
            let body = [.get, .delete].contains(call.method) ? nil : "{}"
            let answer = try await browser.call(call.method, path, cookie: cookie, body: body)
            let isFree = call.path == "/v1/desk/session/confirmation" || call.path == "/v1/desk/sessions/:session"
            let needs = call.method != .get && !isFree
            #expect((answer.problem == "confirmation-needed") == needs, "\(call.method) \(path)")
        }
    }
}

extension Browser {
    /// A challenge for the operator who is signed in; for anyone without a cookie.
    fileprivate func deskChallenge(_ cookie: String?) async throws -> PasskeyChallenge {
        try await call(.post, "/v1/desk/passkeys/challenge", cookie: cookie, body: "{}").value()
    }

    fileprivate func newDeskPasskey(_ cookie: String?) async throws -> Passkey {
        let registration = authenticator.registration(try await deskChallenge(cookie))
        return try await post("/v1/desk/passkeys", PasskeyDraft(name: "Key", passkey: registration), cookie: cookie)
            .value()
    }
}
