import FoundationEssentials
import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("The check of a bike's number before buying")
struct CheckTests {
    private let registry: Harness
    private let owner: String
    /// Has the number WTU123, whose check is allowed.
    private let bike: Bike

    init() async throws {
        registry = try Harness()
        owner = try await registry.newOwner()
        var draft = Samples.bike
        (draft.serial, draft.buyerCheck) = ("wtu-123", true)
        bike = try await registry.post("/v1/bikes", token: owner, draft).value()
        #expect(bike.buyerCheck == true)
    }

    private func post(
        _ path: String, _ fields: [String: String], language: String = "en",
        site: String? = nil
    ) async throws -> Answer {
        let body = fields.map { "\($0)=\($1.formEncoded)" }.joined(separator: "&")
        var headers: HTTPFields = [.contentType: FormFields.mediaType, .acceptLanguage: language]
        if let name = HTTPField.Name("Sec-Fetch-Site") { headers[name] = site }
        return try await registry.call(.post, path, body: body, headers: headers)
    }

    private static func text(_ answer: Answer) -> String { String(decoding: answer.body, as: UTF8.self) }

    private func check(_ number: String) async throws -> Answer {
        try await registry.post("/v1/checks", NumberCheckDraft(number: number))
    }

    @Test("the call tells whether a bike with the number is missing, and nothing else")
    func call() async throws {
        func isMissing(_ number: String) async throws -> Bool {
            let answer = try await check(number)
            #expect(answer.status == 200 && answer.headers[.cacheControl] == "no-store")
            return try (answer.value() as NumberCheck).missing
        }
        #expect(try await !isMissing("WTU123"))
        let missing = try await check("WTU123")
        _ = try await registry.newReport(on: bike.id, of: owner)
        #expect(try await isMissing("W.t u/1-23"))
        #expect(try await !isMissing("WTU1234"))
        // The two answers differ in one word.
        let hit = try await check("WTU123")
        #expect(Self.text(hit) == Self.text(missing).replacing("false", with: "true"))
        for wrong in ["WT1", "0000", "\u{0410}TU123", "x_1234", String(repeating: "A1", count: 25)] {
            let refused = try await check(wrong)
            #expect(refused.status == 422 && Self.text(refused).contains("/number"), "\(wrong)")
        }
    }

    @Test("a misread number is found as perhaps, with what differs and without the owner", arguments: ["en", "de"])
    func misread(language: String) async throws {
        _ = try await registry.newReport(on: bike.id, of: owner)
        let answer: NumberCheck = try await check("WTU I23").value()
        let differences = [SimilarNumber.Difference(position: 4, checked: "I", reported: "1")]
        #expect(
            answer == NumberCheck(missing: false, similar: [SimilarNumber(number: "WTU123", differences: differences)]))
        let page = try await post("/check", ["number": "WTU I23"], language: language)
        let html = Self.text(page)
        #expect(page.status == 200 && page.headers[.cacheControl] == "no-store")
        #expect(html.contains(language == "en" ? "Perhaps" : "Vielleicht") && html.contains("WTUI23"))
        #expect(html.contains("<input type=\"hidden\" name=\"number\" value=\"WTU123\">"))
        for secret in ["Brompton", "\(bike.id)", "textarea", "/check/message"] {
            #expect(!html.contains(secret), "\(secret)")
        }
        let late = try await post("/check/message", ["number": "WTU I23", "message": "x"], language: language)
        #expect(late.status == 200 && Self.text(late) == html, "nothing was written")
        #expect(Self.text(try await post("/check", ["number": "WTU123"])).contains("has been reported as missing here"))
    }

    @Test("a VIN with letters that no VIN has is refused, and one that is stored changes nothing else")
    func misreadVIN() async throws {
        var draft = Samples.bike
        draft.vin = "WBIOA1103E6Z12345"
        let refused = try await registry.post("/v1/bikes", token: owner, draft)
        #expect(refused.status == 422 && Self.text(refused).contains("\"/vin\""))
        // An earlier version stored it.
        let account: Owner = try await registry.call(.get, "/v1/owner", token: owner).value()
        let stored = try #require(try await registry.store.bike(bike.id, of: account.id))
        var changed = stored
        changed.vin = draft.vin
        let act = OwnerAct(owner: account.id, time: registry.clock.now, entropy: .seeded(2))
        _ = try await registry.store.changeBike(stored, to: changed, by: act)
        func patch(_ body: String) async throws -> Answer {
            let shown = try await registry.call(.get, "/v1/bikes/\(bike.id)", token: owner)
            return try await registry.call(
                .patch, "/v1/bikes/\(bike.id)", token: owner, body: body,
                headers: [.ifMatch: try #require(shown.headers[.eTag])])
        }
        #expect(try await patch(#"{"notes":"other"}"#).status == 200)
        #expect(try await patch(#"{"serial":"WTU 124"}"#).status == 200)
        #expect(try await patch(#"{"vin":"WBIOA1103E6Z12346"}"#).status == 422)
        #expect(try await patch(#"{"vin":"WB10A1103E6Z12345"}"#).status == 200)
    }

    @Test("a consent needs a number that can be compared; a patch removes it, also while the bike is missing")
    func consent() async throws {
        func patch(_ body: String) async throws -> Answer {
            let shown = try await registry.call(.get, "/v1/bikes/\(bike.id)", token: owner)
            let tag = try #require(shown.headers[.eTag])
            return try await registry.call(
                .patch, "/v1/bikes/\(bike.id)", token: owner, body: body, headers: [.ifMatch: tag])
        }
        for wrong in [#"{"serial":null}"#, #"{"serial":"0000"}"#, #"{"vin":"see papers"}"#] {
            let answer = try await patch(wrong)
            #expect(answer.status == 422 && Self.text(answer).contains("/buyerCheck"), "\(wrong)")
        }
        #expect(try await patch(#"{"notes":"other"}"#).status == 200)
        _ = try await registry.newReport(on: bike.id, of: owner)
        for body in [#"{"buyerCheck":false}"#, #"{"serial":"0000"}"#] {
            let answer = try await patch(body)
            #expect(answer.status == 200 && !Self.text(answer).contains("buyerCheck"), "\(body)")
        }
        #expect(try await !(check("WTU123").value() as NumberCheck).missing)
        #expect(try await patch(#"{"buyerCheck":true}"#).status == 422)
        #expect(try await patch(#"{"buyerCheck":true,"serial":"WTU 123"}"#).status == 200)
        #expect(try await (check("WTU123").value() as NumberCheck).missing)
    }

    @Test("a page tells a buyer, who leaves word for the owner and reads the answer; no address on either side")
    func pages() async throws {
        #expect(Self.text(try await registry.call(.get, "/found")).contains("href=\"/check\""))
        let form = try await registry.call(.get, "/check")
        #expect(form.status == 200 && form.body.count < 6000)
        let none = try await post("/check", ["number": "WTU 123"])
        #expect(none.status == 200 && Self.text(none).contains("This proves nothing."))
        #expect(!Self.text(none).contains("<form"))
        _ = try await registry.newReport(on: bike.id, of: owner)
        let hit = try await post("/check", ["number": "WTU 123"])
        let page = Self.text(hit)
        #expect(hit.status == 200 && page.contains("has been reported as missing here"))
        #expect(page.contains("Do not buy it") && page.contains("does not prove") && page.contains("WTU123"))
        for secret in ["Brompton", "\(bike.id)"] { #expect(!page.contains(secret)) }
        #expect(hit.headers[.cacheControl] == "no-store")
        let key = String(try #require(page.firstMatch(of: /name="key" value="([\w-]{43})"/)).output.1)
        let fields = ["number": "WTU123", "key": key, "message": "Offered at the <b>market</b>"]
        let wrong = try await post("/check/message", fields.merging(["message": ""]) { $1 })
        // A page with an error has a new secret.
        #expect(wrong.status == 422 && !Self.text(wrong).contains(key))
        #expect(Self.text(wrong).contains("role=\"alert\""))
        #expect(try await post("/check/message", fields, site: "cross-site").status == 403)
        var links: Set<String> = []
        for _ in 1...2 {
            let sent = try await post("/check/message", fields)
            #expect(sent.status == 303)
            links.insert(try #require(sent.headers[.location]))
        }
        let link = try #require(links.first)
        #expect(links.count == 1)
        let list = "/v1/bikes/\(bike.id)/conversations"
        let listed: Page<Conversation> = try await registry.call(.get, list, token: owner).value()
        let only = try #require(listed.items.first)
        #expect(listed.items.count == 1 && only.origin == .number)
        let answered = try await registry.post(
            "\(list)/\(only.id)/answers", token: owner, MessageDraft(text: "Which market?"))
        #expect(answered.status == 201)
        let shown = Self.text(try await registry.call(.get, link))
        #expect(shown.contains("Which market?") && shown.contains("&lt;b&gt;market&lt;/b&gt;"))
        // The bike is back before somebody else writes.
        let missing: Bike = try await registry.call(.get, "/v1/bikes/\(bike.id)", token: owner).value()
        let open = try #require(missing.openReport)
        _ = try await registry.post(
            "/v1/bikes/\(bike.id)/reports/\(open)/closure", token: owner, ReportClosure(outcome: .recovered))
        let late = try await post("/check/message", ["number": "WTU123", "message": "x"])
        #expect(late.status == 200 && Self.text(late).contains("This proves nothing."))
    }

    @Test("a message that cannot be sent now stays in the form, with the reason")
    func again() async throws {
        _ = try await registry.newReport(on: bike.id, of: owner)
        let key = String(repeating: "A", count: 43)
        let fields = ["number": "WTU123", "key": key, "message": "Offered <b>here</b>"]
        for number in 1...3 {
            let fields = fields.merging(["message": "\(number)"]) { $1 }
            #expect(try await post("/check/message", fields).status == 303)
        }
        let full = try await post("/check/message", fields)
        let page = Self.text(full)
        #expect(full.status == 429 && page.contains("Offered &lt;b&gt;here") && page.contains(key))
        #expect(page.contains("too many conversations") && page.contains("href=\"/check\""))
        #expect(try await registry.call(.get, "/check/message").headers[.location] == "/check")
    }

    @Test("several owners of one number get a conversation each")
    func several() async throws {
        let other = try await registry.newOwner()
        var draft = Samples.bike
        (draft.vin, draft.buyerCheck) = ("WTU123", true)
        let second: Bike = try await registry.post("/v1/bikes", token: other, draft).value()
        _ = try await registry.newReport(on: bike.id, of: owner)
        _ = try await registry.newReport(on: second.id, of: other)
        let sent = try await post("/check/message", ["number": "WTU123", "message": "x"])
        let links = Set(Self.text(sent).matches(of: /\/messages\/[\w-]{43}/).map { String($0.output) })
        #expect(sent.status == 202 && links.count == 2 && Self.text(sent).contains("owners of 2 bikes"))
        for link in links { #expect(try await registry.call(.get, link).status == 200) }
    }

    @Test("a form with an error comes back as it was filled in", arguments: ["en", "de"])
    func errors(language: String) async throws {
        for number in ["", "123", "0000", "\"><script>", "\u{FF11}\u{FF12}34X"] {
            for path in ["/check", "/check/message"] {
                let answer = try await post(path, ["number": number], language: language)
                let html = Self.text(answer)
                #expect(answer.status == 422 && html.contains("role=\"alert\""), "\(number)")
                #expect(html.contains("<html lang=\"\(language)\">") && !html.contains("<script"))
                #expect(html.contains("action=\"/check\""))
            }
        }
        #expect(try await registry.call(.post, "/check", body: "{}").status == 415)
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
