import Beacons
import FoundationEssentials
import HTTPTypes
import RegistryAPI
import RegistryTestSupport
import Testing

@Suite("HTTP at its edges")
struct WireTests {
    @Test(
        "an unknown path is a problem",
        arguments: ["/", "/v2/owners", "/v1", "/v1/bikes/a/b/c/d/e", "/v1/owners/x", "/v1/%2e%2e"]
    )
    func unknownPath(path: String) async throws {
        try await Harness.run { registry in
            let answer = try await registry.call(.get, path)
            #expect(answer.status == 404 && answer.problem == "not-found")
        }
    }

    @Test(
        "a known path with another method says which ones it takes",
        arguments: [
            (HTTPRequest.Method.put, "/v1/bikes", "POST, GET, HEAD"), (.post, "/v1/owner", "GET, HEAD, PATCH, DELETE"),
            (.get, "/v1/owners", "POST"), (.patch, "/v1/channels/x", "GET, HEAD, PUT, DELETE"),
            (.trace, "/livez", "GET, HEAD"),
            (.get, "/v1/sightings", "POST"),
        ]
    )
    func otherMethod(method: HTTPRequest.Method, path: String, allowed: String) async throws {
        try await Harness.run { registry in
            let answer = try await registry.call(method, path)
            #expect(answer.status == 405 && answer.problem == "method-not-allowed")
            #expect(answer.headers[.allow] == allowed)
        }
    }

    @Test(
        "a body that does not call itself JSON is refused",
        arguments: ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""]
    )
    func mediaType(type: String) async throws {
        try await Harness.run { registry in
            let owner = try await registry.newOwner()
            let headers: HTTPFields = [.contentType: type]
            let answer = try await registry.call(.post, "/v1/bikes", token: owner, body: "{}", headers: headers)
            #expect(answer.status == 415 && answer.problem == "wrong-media-type")
        }
    }

    @Test(
        "parameters of the media type do not matter",
        arguments: ["application/json; charset=utf-8", "Application/JSON"])
    func mediaTypeParameters(type: String) async throws {
        try await Harness.run { registry in
            let owner = try await registry.newOwner()
            let headers: HTTPFields = [.contentType: type]
            let answer = try await registry.call(.post, "/v1/bikes", token: owner, body: "{}", headers: headers)
            #expect(answer.status == 422)
        }
    }

    @Test("malformed JSON is refused with the place where it breaks")
    func malformed() async throws {
        try await Harness.run { registry in
            let owner = try await registry.newOwner()
            let answer = try await registry.call(.post, "/v1/bikes", token: owner, body: "{\n  \"kind\" 1}")
            #expect(answer.status == 400 && answer.problem == "malformed-json")
            #expect(try answer.value(ProblemDetails.self).detail.contains("line 2, column 10"))
        }
    }

    @Test("a body over 1 MiB is refused")
    func tooLarge() async throws {
        try await Harness.run { registry in
            let owner = try await registry.newOwner()
            let body = "\"" + String(repeating: "a", count: 1 << 20) + "\""
            let answer = try await registry.call(.post, "/v1/bikes", token: owner, body: body)
            #expect(answer.status == 413 && answer.problem == "too-large")
        }
    }

    @Test("a batch of more than 500 visits is refused as a whole")
    func tooManyVisits() async throws {
        try await Harness.run { registry in
            let station = try await registry.newStation()
            let body = #"{"visits":[\#(Array(repeating: "{}", count: 501).joined(separator: ","))]}"#
            let answer = try await registry.call(.post, "/v1/sightings", token: station.token, body: body)
            #expect(answer.status == 413 && answer.problem == "too-large")
        }
    }

    @Test("every answer names its request, and none may be kept by a cache in between")
    func headers() async throws {
        try await Harness.run { registry in
            let name = try #require(HTTPField.Name("X-Request-Id"))
            let owner = try await registry.newOwner()
            for (path, token) in [("/v1/owner", owner), ("/v1/owner", "x"), ("/none", owner)] {
                let answer = try await registry.call(.get, path, token: token)
                #expect(answer.headers[name]?.isEmpty == false)
                #expect(answer.headers[.cacheControl] == "no-store")
                #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            }
        }
    }

    @Test("the probes answer without a token", arguments: ["/livez", "/readyz"])
    func probes(path: String) async throws {
        try await Harness.run { registry in
            #expect(try await registry.call(.get, path).status == 200)
            let head = try await registry.call(.head, path)
            #expect(head.status == 200 && head.body.isEmpty)
        }
    }

    @Test("pages are followed by cursor and by Link, and what is no page is refused")
    func paging() async throws {
        try await Harness.run { registry in
            let owner = try await registry.newOwner()
            for minor in 1...5 as ClosedRange<UInt16> {
                registry.clock.advance(by: .milliseconds(1))
                _ = try await registry.newBike(of: owner, Samples.identity(minor))
            }
            var minors: [UInt16] = []
            var path: String? = "/v1/bikes?limit=2"
            while let current = path {
                let answer = try await registry.call(.get, current, token: owner)
                let page: Page<Bike> = try answer.value()
                minors += page.items.map(\.identity.minor)
                let link = answer.headers[try #require(HTTPField.Name("Link"))]
                #expect((link == nil) == (page.next == nil))
                path = link.map { String($0.dropFirst().prefix { $0 != ">" }) }
            }
            #expect(minors == [1, 2, 3, 4, 5])
            for query in ["limit=0", "limit=501", "limit=x", "cursor=", "cursor=%25", "cursor=bm9uZQ"] {
                let answer = try await registry.call(.get, "/v1/bikes?\(query)", token: owner)
                #expect(answer.status == 400 && answer.problem == "invalid-page", "\(query)")
            }
        }
    }
}
