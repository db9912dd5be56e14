import Foundation
import HTTPTypes
import PasskeyTestSupport
import RegistryAPI

/// A browser at the registry's own pages, with an authenticator in software.
struct Browser: Sendable {
    let registry: Harness
    let authenticator = SoftwareAuthenticator()
    /// The owner's identifier as the authenticator stored it; nil if it returns none.
    var user: Base64URL?

    init(_ registry: Harness) { self.registry = registry }

    func call(
        _ method: HTTPRequest.Method, _ path: String, cookie: String? = nil, body: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        if let name = HTTPField.Name("Sec-Fetch-Site") { headers[name] = "same-origin" }
        headers[.cookie] = cookie
        return try await registry.call(method, path, body: body, headers: headers)
    }

    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: some Encodable, cookie: String? = nil
    ) async throws -> Answer {
        let text = String(decoding: try JSONEncoder().encode(body), as: UTF8.self)
        return try await call(method, path, cookie: cookie, body: text)
    }

    func post(_ path: String, _ body: some Encodable, cookie: String? = nil) async throws -> Answer {
        try await call(.post, path, body, cookie: cookie)
    }

    /// A challenge for the owner who is signed in; for anyone without a cookie.
    func challenge(of cookie: String? = nil) async throws -> PasskeyChallenge {
        let path = cookie == nil ? "/v1/passkeys/challenge" : "/v1/owner/challenge"
        return try await call(.post, path, cookie: cookie, body: "{}").value()
    }

    func newSignUp(invitation: String? = nil) async throws -> SignUp {
        SignUp(invitation: invitation, passkey: authenticator.registration(try await challenge()))
    }

    func signUp() async throws -> Answer { try await post("/v1/sign-up", try await newSignUp()) }

    func assertion(
        _ ceremony: SoftwareAuthenticator.Ceremony = SoftwareAuthenticator.Ceremony(), challengeOf cookie: String? = nil
    ) async throws -> PasskeyAssertion {
        var assertion = try authenticator.assertion(try await challenge(of: cookie), ceremony)
        assertion.userHandle = user
        return assertion
    }
}

extension Answer {
    /// The cookie that the response sets, as a browser sends it back.
    var cookie: String? { headers[.setCookie]?.split(separator: ";").first.map(String.init) }
}
