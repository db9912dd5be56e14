import Beacons
import FoundationEssentials
import HTTPTypes
import RegistryAPI
import RegistrySQL
import RegistryTestSupport
import Testing

@Suite("HTTP edge cases")
struct WireTests {
    @Test(
        "an unknown path is answered with a problem",
        arguments: ["/v2/owners", "/v1", "/v1/bikes/a/b/c/d/e", "/v1/recovery/x", "/v1/%2e%2e"]
    )
    func unknownPath(path: String) async throws {
        let registry = try Harness()
        let answer = try await registry.call(.get, path)
        #expect(answer.status == 404 && answer.problem == "not-found")
    }

    @Test(
        "a known path with an unsupported method names the supported ones",
        arguments: [
            (HTTPRequest.Method.put, "/v1/bikes", "POST, GET, HEAD"), (.post, "/v1/owner", "GET, HEAD, PATCH, DELETE"),
            (.get, "/v1/recovery", "POST"), (.patch, "/v1/channels/x", "GET, HEAD, PUT, DELETE"),
            (.trace, "/livez", "GET, HEAD"),
            (.get, "/v1/sightings", "POST"),
        ]
    )
    func otherMethod(method: HTTPRequest.Method, path: String, allowed: String) async throws {
        let registry = try Harness()
        let answer = try await registry.call(method, path)
        #expect(answer.status == 405 && answer.problem == "method-not-allowed")
        #expect(answer.headers[.allow] == allowed)
    }

    @Test(
        "a body without the JSON media type is refused",
        arguments: ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""]
    )
    func mediaType(type: String) async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let headers: HTTPFields = [.contentType: type]
        let answer = try await registry.call(.post, "/v1/bikes", token: owner, body: "{}", headers: headers)
        #expect(answer.status == 415 && answer.problem == "wrong-media-type")
        // A body that may be absent is no exception.
        let optional = try await registry.call(.post, "/v1/owners", body: "{}", headers: headers)
        #expect(optional.status == 415)
        #expect(try await registry.call(.post, "/v1/owners", body: "", headers: headers).status == 201)
    }

    @Test(
        "parameters of the media type are ignored",
        arguments: ["application/json; charset=utf-8", "Application/JSON"])
    func mediaTypeParameters(type: String) async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let headers: HTTPFields = [.contentType: type]
        let answer = try await registry.call(.post, "/v1/bikes", token: owner, body: "{}", headers: headers)
        #expect(answer.status == 422)
    }

    @Test("malformed JSON is refused with the position of the error")
    func malformed() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let answer = try await registry.call(.post, "/v1/bikes", token: owner, body: "{\n  \"kind\" 1}")
        #expect(answer.status == 400 && answer.problem == "malformed-json")
        #expect(try answer.value(ProblemDetails.self).detail.contains("line 2, column 10"))
    }

    @Test("each call has its own limit for the size of the body")
    func tooLarge() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let station = try await registry.newStation().token
        for (path, token, limit) in [
            ("/v1/owner/tokens", owner, 8 << 10), ("/v1/bikes", owner, 24 << 10), ("/v1/finds", "", 8 << 10),
            ("/v1/sightings", station, 512 << 10),
        ] {
            let fitting = try await registry.call(
                .post, path, token: token, body: "{" + String(repeating: " ", count: limit - 2) + "}")
            #expect(fitting.status == 422, "\(path)")
            let answer = try await registry.call(
                .post, path, token: token, body: "{" + String(repeating: " ", count: limit - 1) + "}")
            #expect(answer.status == 413 && answer.problem == "too-large", "\(path)")
        }
    }

    @Test("a response names up to twenty invalid fields, and counts the rest")
    func manyErrors() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let unknown = (0..<600).map { "\"field\($0)\":0" }.joined(separator: ",")
        let answer = try await registry.call(.post, "/v1/owner/tokens", token: owner, body: "{\(unknown)}")
        let errors = try #require(try answer.value(ProblemDetails.self).errors)
        #expect(answer.status == 422 && errors.count == 21 && errors.last?.detail.hasPrefix("582 more") == true)
        #expect(answer.body.count < 8 << 10)
        let station = try await registry.newStation()
        let batch = "{\"visits\":[\(Array(repeating: "{}", count: 500).joined(separator: ","))]}"
        let judged = try await registry.call(.post, "/v1/sightings", token: station.token, body: batch)
        let results = try judged.value(VisitBatchResult.self).results
        #expect(judged.status == 200 && results.count == 500)
        #expect(results.allSatisfy { $0.result == .invalid && $0.errors?.isEmpty == false })
        #expect(judged.body.count < 150 << 10)
    }

    @Test("a field name of combining marks is refused quickly, and choices are not compared with such text")
    func combiningMarks() async throws {
        let registry = try Harness()
        let marks = String(repeating: "\u{301}", count: 3000)
        let named = try await registry.call(.post, "/v1/finds", body: "{\"\(marks)\":0}")
        #expect(named.status == 400 && named.problem == "malformed-json")
        #expect(try named.value(ProblemDetails.self).detail.contains("64 bytes"))
        let owner = try await registry.newOwner()
        let chosen = try await registry.call(
            .post, "/v1/owner/tokens", token: owner, body: "{\"name\":\"a\",\"scope\":\"\(marks)\"}")
        #expect(chosen.status == 422 && chosen.pointers == ["/scope"])
    }

    @Test(
        "a cursor that is out of range is refused", arguments: [Int64.max, Int64.min, -1, (1 << 53) + 1] as [Int64])
    func largeNumbers(number: Int64) async throws {
        let registry = try Harness()
        let boss = try await registry.newOperator()
        let cursor = Data("\(number)".utf8).base64EncodedString().replacing("=", with: "")
        let answer = try await registry.call(.get, "/v1/audit?cursor=\(cursor)", token: boss)
        #expect(answer.status == 400 && answer.problem == "invalid-page")
    }

    @Test("a batch of more than 500 visits is refused entirely")
    func tooManyVisits() async throws {
        let registry = try Harness()
        let station = try await registry.newStation()
        let body = #"{"visits":[\#(Array(repeating: "{}", count: 501).joined(separator: ","))]}"#
        let answer = try await registry.call(.post, "/v1/sightings", token: station.token, body: body)
        #expect(answer.status == 413 && answer.problem == "too-large")
    }

    @Test("every response has a request identifier, and no cache may store it")
    func headers() async throws {
        let registry = try Harness()
        let name = try #require(HTTPField.Name("X-Request-Id"))
        let owner = try await registry.newOwner()
        for (path, token) in [("/v1/owner", owner), ("/v1/owner", "x"), ("/none", owner)] {
            let answer = try await registry.call(.get, path, token: token)
            #expect(answer.headers[name]?.isEmpty == false)
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
        }
    }

    @Test("the probes respond without a token", arguments: ["/livez", "/readyz"])
    func probes(path: String) async throws {
        let registry = try Harness()
        #expect(try await registry.call(.get, path).status == 200)
        let head = try await registry.call(.head, path)
        #expect(head.status == 200 && head.body.isEmpty)
    }

    @Test("pages are linked by cursor and Link field, and an invalid page is refused")
    func paging() async throws {
        let registry = try Harness()
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
