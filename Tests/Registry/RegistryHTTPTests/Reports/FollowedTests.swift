import Beacons
import FoundationEssentials
import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("Pages for somebody who feels followed")
struct FollowedTests {
    private let registry: Harness
    private let owner: String
    private let bike: Bike

    init() async throws {
        registry = try Harness()
        owner = try await registry.newOwner()
        bike = try await registry.newBike(of: owner)
    }

    private func post(
        _ path: String, _ fields: [String: String], language: String = "en", site: String? = nil
    ) async throws -> Answer {
        let body = fields.map { "\($0)=\($1.formEncoded)" }.joined(separator: "&")
        var headers: HTTPFields = [.contentType: FormFields.mediaType, .acceptLanguage: language]
        if let name = HTTPField.Name("Sec-Fetch-Site") { headers[name] = site }
        return try await registry.call(.post, path, body: body, headers: headers)
    }

    private static func text(_ answer: Answer) -> String { String(decoding: answer.body, as: UTF8.self) }

    private static func fields(_ beacon: BeaconIdentity) -> [String: String] {
        ["uuid": beacon.uuid.description, "major": "\(beacon.major)", "minor": "\(beacon.minor)"]
    }

    @Test("the look-up says of this registry or not, the same before, while and after the bike is missing")
    func look() async throws {
        func look(_ beacon: BeaconIdentity) async throws -> String {
            let answer = try await post("/followed/beacon", Self.fields(beacon))
            #expect(answer.status == 200 && answer.headers[.cacheControl] == "no-store")
            return Self.text(answer).replacing(/name="key" value="[\w-]{43}"/, with: "KEY")
        }
        let before = try await look(bike.identity)
        #expect(before.contains("It belongs to this registry"))
        for secret in [bike.id.description, bike.make, bike.model] { #expect(!before.contains(secret)) }
        let report = try await registry.newReport(on: bike.id, of: owner)
        #expect(try await look(bike.identity) == before)
        let other = BeaconIdentity(uuid: bike.identity.uuid, major: bike.identity.major, minor: bike.identity.minor ^ 1)
        let unknown = try await look(other)
        #expect(unknown.contains("We do not know these values") && !unknown.contains(report.id.description))
        // A look-up leaves nothing behind.
        let requests: Page<SafetyRequest> = try await registry.call(
            .get, "/v1/safety-requests", token: try await registry.newOperator()
        ).value()
        #expect(requests.items.isEmpty)
    }

    @Test("a request reaches the operator, whose answer is on its page; the page does not depend on the beacon")
    func write() async throws {
        let token = try await registry.newOperator()
        var pages: [String] = []
        let none = BeaconIdentity(uuid: bike.identity.uuid, major: 1, minor: 2)
        for beacon in [bike.identity, none] {
            let fields = Self.fields(beacon).merging(["message": "In my <b>coat</b>\r\nsince Monday"]) { first, _ in
                first
            }
            let sent = try await post("/followed/message", fields)
            let path = try #require(sent.headers[.location])
            #expect(sent.status == 303 && path.wholeMatch(of: /\/followed\/requests\/[\w-]{43}/) != nil)
            let page = try await registry.call(.get, path)
            #expect(page.status == 200 && page.headers[.cacheControl] == "no-store")
            pages.append(Self.text(page))
            #expect(Self.text(page).contains("In my &lt;b&gt;coat&lt;/b&gt;<br>since Monday"))
        }
        #expect(pages.first == pages.last)
        let listed: Page<SafetyRequest> = try await registry.call(.get, "/v1/safety-requests", token: token).value()
        #expect(listed.items.map(\.text) == Array(repeating: "In my <b>coat</b>\nsince Monday", count: 2))
        let owners = listed.items.map(\.owner)
        #expect(owners.compactMap(\.self).count == 1)
        let known = try #require(listed.items.first { $0.owner != nil })
        let closed: SafetyRequest = try await registry.call(
            .put, "/v1/safety-requests/\(known.id)/closure", token: token, body: #"{"answer":"Stopped & gone."}"#
        ).value()
        #expect(closed.answer == "Stopped & gone." && closed.closed != nil)
        let left: Page<SafetyRequest> = try await registry.call(.get, "/v1/safety-requests", token: token).value()
        #expect(left.items.count == 1)
        // Only operators read them.
        #expect(try await registry.call(.get, "/v1/safety-requests", token: owner).status == 403)
        #expect(try await registry.call(.get, "/v1/safety-requests").status == 401)
    }

    @Test("the operator's answer is on the page of the request")
    func answer() async throws {
        let sent = try await post("/followed/message", ["message": "A beacon in my car"])
        let path = try #require(sent.headers[.location])
        let token = try await registry.newOperator()
        let listed: Page<SafetyRequest> = try await registry.call(.get, "/v1/safety-requests", token: token).value()
        let id = try #require(listed.items.first?.id)
        let body = #"{"answer":"Go to the <police>."}"#
        _ = try await registry.call(.put, "/v1/safety-requests/\(id)/closure", token: token, body: body)
        let page = Self.text(try await registry.call(.get, path))
        #expect(page.contains("Go to the &lt;police&gt;.") && page.contains("The operator has closed this"))
    }

    @Test("a form that is sent twice is one request, and the fourth of a network in a day is refused with its text")
    func limits() async throws {
        let first = Self.text(try await registry.call(.get, "/followed"))
        let key = try #require(first.firstMatch(of: /name="key" value="([\w-]{43})"/)).output.1
        let fields = ["message": "one", "key": String(key)]
        #expect(try await post("/followed/message", fields).headers[.location] == "/followed/requests/\(key)")
        #expect(try await post("/followed/message", fields).headers[.location] == "/followed/requests/\(key)")
        let changed = try await post("/followed/message", ["message": "two", "key": String(key)])
        #expect(changed.status == 303 && changed.headers[.location] != "/followed/requests/\(key)")
        #expect(try await post("/followed/message", ["message": "three"]).status == 303)
        let refused = try await post("/followed/message", ["message": "four words of mine"])
        #expect(refused.status == 429 && Self.text(refused).contains("four words of mine"))
    }

    @Test(
        "a form with an error comes back as it was filled in, and another site's is refused", arguments: ["en", "de"])
    func errors(language: String) async throws {
        for fields in [
            ["uuid": "x", "major": "1", "minor": "2"], [:],
            Self.fields(bike.identity).merging(["minor": "70000"]) { $1 },
        ] {
            let answer = try await post("/followed/beacon", fields, language: language)
            let html = Self.text(answer)
            #expect(
                answer.status == 422 && html.contains("role=\"alert\"") && html.contains("<html lang=\"\(language)\">"))
            let message = try await post(
                "/followed/message", fields.merging(["message": fields.isEmpty ? "" : "kept"]) { $1 },
                language: language)
            #expect(message.status == 422 && Self.text(message).contains(fields.isEmpty ? "role=\"alert\"" : "kept"))
        }
        let foreign = try await post("/followed/message", ["message": "x"], language: language, site: "cross-site")
        #expect(foreign.status == 403)
        let missing = try await registry.call(.get, "/followed/requests/x")
        #expect(missing.status == 404 && Self.text(missing).contains("href=\"/followed\""))
        for path in ["/followed/beacon", "/followed/message"] {
            #expect(try await registry.call(.get, path).headers[.location] == "/followed")
        }
    }

    @Test("every page for people has the link in its foot")
    func foot() async throws {
        for path in ["/", "/found", "/check", "/followed", "/my", "/about"] {
            let page = try await registry.call(.get, path, headers: [.accept: "text/html"])
            #expect(Self.text(page).contains("<a href=\"/followed\">"), "\(path)")
        }
    }
}

extension String {
    fileprivate var formEncoded: String {
        utf8.map { byte in
            let isPlain = byte < 128 && Character(Unicode.Scalar(byte)).isLetter || (48...57).contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
