import Foundation
import HTTPTypes
import Testing

@testable import RegistryHTTP

@Suite("Web pages")
struct PageTests {
    @Test(
        "a page is the shell, with a policy that permits nothing from elsewhere",
        arguments: ["/", "/about", "/my", "/my/bikes/x"])
    func shell(path: String) async throws {
        let registry = try Harness()
        let page = try await registry.call(.get, path)
        #expect(page.status == 200 && page.headers[.contentType] == "text/html; charset=utf-8")
        #expect(page.headers[.cacheControl] == "no-cache")
        let policy = try #require(page.headers[.contentSecurityPolicy])
        #expect(policy.hasPrefix("default-src 'none';") && policy.contains("require-trusted-types-for 'script'"))
        #expect(!policy.contains("unsafe"))
        let head = try await registry.call(.head, path)
        #expect(head.status == 200 && head.body.isEmpty)
        var known = HTTPFields()
        known[.ifNoneMatch] = page.headers[.eTag]
        let unchanged = try await registry.call(.get, path, headers: known)
        #expect(unchanged.status == 304 && unchanged.body.isEmpty)
    }

    @Test(
        "a file is compressed as the browser accepts it",
        arguments: [("gzip, deflate, br", "br"), ("gzip", "gzip"), ("br;q=0, gzip", "gzip"), ("identity", nil)]
            as [(String, String?)])
    func compressed(accepted: String, coding: String?) async throws {
        let registry = try Harness()
        let shell = String(decoding: try await registry.call(.get, "/desk").body, as: UTF8.self)
        let path = try #require(shell.firstMatch(of: /\/assets\/style-[0-9a-f]+\.css/)?.output)
        let file = try await registry.call(.get, String(path), headers: [.acceptEncoding: accepted])
        #expect(file.status == 200 && file.headers[.contentEncoding] == coding)
        #expect(file.headers[.cacheControl] == "public, max-age=31536000, immutable")
        #expect(file.headers[.vary] == "Accept-Encoding")
    }

    @Test("a person at a wrong address gets a page, a program a problem", arguments: ["/stolen", "/v1/nothing"])
    func wrongAddress(path: String) async throws {
        let registry = try Harness()
        let browsers = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
        let page = try await registry.call(.get, path, headers: [.accept: browsers])
        #expect(page.status == 404 && page.headers[.contentType] == "text/html; charset=utf-8")
        #expect(page.headers[.contentSecurityPolicy] != nil && page.headers[.xContentTypeOptions] == "nosniff")
        #expect(page.headers[.eTag] == nil && String(decoding: page.body, as: UTF8.self).contains("/assets/app-"))
        for accepted in ["application/json", "*/*", "text/html;q=0"] {
            #expect(try await registry.call(.get, path, headers: [.accept: accepted]).problem == "not-found")
        }
        #expect(try await registry.call(.post, path, headers: [.accept: browsers]).problem == "not-found")
    }

    @Test(
        "other paths and methods are not pages", arguments: ["/assets/0/app.html", "/mybikes", "/my%00", "/sign-in/x"])
    func others(path: String) async throws {
        let registry = try Harness()
        let unknown = try await registry.call(.get, path)
        let posted = try await registry.call(.post, "/my")
        #expect(unknown.problem == "not-found" && posted.problem == "not-found")
    }
}
