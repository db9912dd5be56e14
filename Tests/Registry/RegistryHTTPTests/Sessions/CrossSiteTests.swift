import Foundation
import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("Requests that other sites make a browser send")
struct CrossSiteTests {
    /// Header fields of a browser, and whether a change with them comes from the registry's own pages.
    static let fields: [([String: String], Bool)] = [
        (["Sec-Fetch-Site": "same-origin"], true),
        (["Sec-Fetch-Site": "same-origin", "Origin": "https://registry.example"], true),
        (["Origin": "https://registry.example"], true),
        (["Sec-Fetch-Site": "same-site", "Origin": "https://registry.example"], false),
        (["Sec-Fetch-Site": "cross-site"], false),
        (["Sec-Fetch-Site": "none"], false),
        (["Sec-Fetch-Site": ""], false),
        (["Origin": "https://evil.example"], false),
        (["Origin": "https://registry.example.evil.example"], false),
        (["Origin": "http://registry.example"], false),
        (["Origin": "null"], false),
        ([:], false),
    ]

    static func headers(_ fields: [String: String]) -> HTTPFields {
        var headers = HTTPFields()
        for (name, value) in fields { HTTPField.Name(name).map { headers[$0] = value } }
        return headers
    }

    @Test("a change with the cookie is refused and changes nothing, unless it comes from the registry's own pages")
    func changes() async throws {
        let registry = try Harness()
        let browser = Browser(registry)
        let cookie = try await browser.signUp().cookie
        for (fields, isOwn) in Self.fields {
            var headers = Self.headers(fields)
            headers[.cookie] = cookie
            let body = try JSONEncoder().encode(Samples.bike)
            let before: Page<Bike> = try await browser.call(.get, "/v1/bikes", cookie: cookie).value()
            let answer = try await registry.call(
                .post, "/v1/bikes", body: String(decoding: body, as: UTF8.self), headers: headers)
            let after: Page<Bike> = try await browser.call(.get, "/v1/bikes", cookie: cookie).value()
            #expect(answer.status == (isOwn ? 201 : 403), "\(fields)")
            #expect(isOwn || answer.problem == "cross-site", "\(fields)")
            #expect(after.items.count == before.items.count + (isOwn ? 1 : 0))
        }
    }

    @Test("signing in, up and out is refused, too, so that nobody is signed in to an attacker's account")
    func signIn() async throws {
        let registry = try Harness()
        let browser = Browser(registry)
        let cookie = try await browser.signUp().cookie
        let token = try await registry.newOwner()
        for (fields, isOwn) in Self.fields where !isOwn {
            var headers = Self.headers(fields)
            let signIn = #"{"token":"\#(token)"}"#
            for path in ["/v1/sessions", "/v1/sign-up"] {
                let answer = try await registry.call(.post, path, body: signIn, headers: headers)
                #expect(answer.problem == "cross-site" && answer.headers[.setCookie] == nil, "\(fields)")
            }
            headers[.cookie] = cookie
            let answer = try await registry.call(.delete, "/v1/session", headers: headers)
            #expect(answer.problem == "cross-site", "\(fields)")
        }
        #expect(try await browser.call(.get, "/v1/session", cookie: cookie).status == 200)
    }

    @Test("a form cannot send a change, and another site cannot read with the cookie")
    func forms() async throws {
        let registry = try Harness()
        let browser = Browser(registry)
        let cookie = try await browser.signUp().cookie
        for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
            let headers: HTTPFields = [.contentType: type]
            let answer = try await browser.call(
                .post, "/v1/owner/recovery-codes", cookie: cookie, body: "{}", headers: headers)
            #expect(answer.status == 415, "\(type)")
        }
        var headers = Self.headers(["Sec-Fetch-Site": "cross-site"])
        headers[.cookie] = cookie
        #expect(try await registry.call(.get, "/v1/owner", headers: headers).problem == "cross-site")
        headers = Self.headers(["Sec-Fetch-Site": "none"])
        headers[.cookie] = cookie
        #expect(try await registry.call(.get, "/v1/owner", headers: headers).status == 200)
    }

    @Test("tokens work as before, a session's secret is no token, and a token is no session")
    func tokens() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let headers = Self.headers(["Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"])
        let answer = try await registry.call(.post, "/v1/channels", token: owner, body: "{}", headers: headers)
        #expect(answer.status == 422)
        let cookie = try #require(try await Browser(registry).signUp().cookie)
        let secret = String(cookie.dropFirst("__Host-session=".count))
        #expect(try await registry.call(.get, "/v1/owner", token: secret).status == 401)
        let crumb: HTTPFields = [.cookie: "__Host-session=\(owner)"]
        #expect(try await registry.call(.get, "/v1/owner", headers: crumb).problem == "unauthenticated")
        // The token counts if there are both; two cookies of the name count as none.
        let both: HTTPFields = [.cookie: cookie, .authorization: "Bearer x"]
        #expect(try await registry.call(.get, "/v1/owner", headers: both).status == 401)
        let two: HTTPFields = [.cookie: "\(cookie); \(cookie)"]
        #expect(try await registry.call(.get, "/v1/owner", headers: two).problem == "unauthenticated")
        let others: HTTPFields = [.cookie: "a=b; \(cookie); x__Host-session=y"]
        #expect(try await registry.call(.get, "/v1/owner", headers: others).status == 200)
    }
}
