import Beacons
import FoundationEssentials
import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("Pages for finders")
struct FinderTests {
    private let registry: Harness
    private let owner: String
    private let bike: Bike
    /// On the bike's sticker.
    private let code: String

    init() async throws {
        registry = try Harness()
        owner = try await registry.newOwner()
        bike = try await registry.newBike(of: owner)
        let made = try await registry.call(.put, "/v1/bikes/\(bike.id)/sticker", token: owner)
        let sticker: StickerCreated = try made.value()
        #expect(sticker.link == "https://registry.example/found/\(sticker.code)")
        #expect(sticker.sheet?.hasPrefix("<svg ") == true)
        code = sticker.code
    }

    private static let form: HTTPFields = [.contentType: FormFields.mediaType]

    private func post(
        _ path: String, _ fields: [String: String], headers: HTTPFields = [:]
    ) async throws -> Answer {
        let body = fields.map { "\($0)=\($1.formEncoded)" }.joined(separator: "&")
        var all = Self.form
        for field in headers { all[field.name] = field.value }
        return try await registry.call(.post, path, body: body, headers: all)
    }

    /// The path of the conversation that follows a message.
    private static func link(_ answer: Answer) throws -> String {
        let path = try #require(answer.headers[.location])
        #expect(path.wholeMatch(of: /\/messages\/[\w-]{43}/) != nil)
        return path
    }

    private static func text(_ answer: Answer) -> String { String(decoding: answer.body, as: UTF8.self) }

    @Test("a finder writes by form, the owner answers by the API, and the page shows it; no address on either side")
    func conversation() async throws {
        let shown = try await registry.call(.get, "/found/\(code.lowercased())")
        #expect(shown.status == 200 && Self.text(shown).contains(code))
        let key = try #require(Self.text(shown).firstMatch(of: /name="key" value="([\w-]{43})"/)).output.1
        let fields = ["code": code, "message": "Behind the <b>station</b>\r\n& \"shed\"", "key": String(key)]
        let sent = try await post("/found", fields)
        #expect(sent.status == 303)
        let path = try Self.link(sent)
        #expect(path == "/messages/\(key)")
        // A form that is sent twice begins one conversation.
        #expect(try await post("/found", fields).status == 303)
        let list = "/v1/bikes/\(bike.id)/conversations"
        let listed: Page<Conversation> = try await registry.call(.get, list, token: owner).value()
        let only = try #require(listed.items.first)
        #expect(listed.items.count == 1 && only.messages.first?.text == "Behind the <b>station</b>\n& \"shed\"")
        let answered = try await registry.post(
            "\(list)/\(only.id)/answers", token: owner, MessageDraft(text: "<script>alert(1)</script> thanks"))
        #expect(answered.status == 201)
        let page = try await registry.call(.get, path)
        let html = Self.text(page)
        #expect(page.status == 200 && html.contains("Behind the &lt;b&gt;station&lt;/b&gt;<br>&amp; &quot;shed&quot;"))
        #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt; thanks"))
        // The only script is the page's own file.
        #expect(html.ranges(of: "<script").count == 1 && html.contains("<script type=\"module\" src=\"/assets/"))
        #expect(page.headers[.cacheControl] == "no-store")
        let referrer = try #require(HTTPField.Name("Referrer-Policy"))
        #expect(page.headers[referrer] == "no-referrer")
        #expect(page.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
        let next = try await post(path, ["action": "send", "message": "Third"])
        #expect(next.status == 303 && next.headers[.location] == path)
        let ended = try await post(path, ["action": "report"])
        #expect(ended.status == 303)
        #expect(try await post(path, ["message": "Fourth"]).status == 409)
        let reported: Page<ReportedConversation> = try await registry.call(
            .get, "/v1/reported-conversations", token: try await registry.newOperator()
        ).value()
        #expect(reported.items.first?.conversation.messages.count == 3)
        #expect(reported.items.first?.reportedBy == .finder)
    }

    @Test("the answers to a known and to an unknown code are the same but for the secret")
    func same() async throws {
        var generator = SystemRandomNumberGenerator()
        let unknown = StickerCode(using: &generator).text
        var seen: [[String]] = []
        for code in [code, unknown] {
            func plain(_ answer: Answer) -> String {
                Self.text(answer).replacing(/[\w-]{43}/, with: "SECRET").replacing(code, with: "CODE")
            }
            let shown = try await registry.call(.get, "/found/\(code)")
            let sent = try await post("/found", ["code": code, "message": "x"])
            let path = try Self.link(sent)
            var pages = [plain(shown), plain(sent), plain(try await registry.call(.get, path))]
            pages.append(plain(try await registry.call(.get, path + "/news")))
            for text in ["y", "z", "over"] {
                let answer = try await post(path, ["message": text])
                pages.append("\(answer.status)" + plain(answer))
            }
            _ = try await post(path, ["action": "end"])
            pages.append(plain(try await registry.call(.get, path)))
            let headers = sent.headers.map { "\($0.name): \($0.value)" }
                .filter { !$0.hasPrefix("X-Request-Id") }.map { $0.replacing(/[\w-]{43}/, with: "SECRET") }
            seen.append(pages + headers + ["\(sent.status)"])
        }
        #expect(seen[0] == seen[1] && seen[0].last == "303")
        let beacons = try await [bike.identity, Samples.identity(77)].asyncMap { identity in
            try await post(
                "/found",
                [
                    "uuid": "\(identity.uuid)", "major": "\(identity.major)", "minor": "\(identity.minor)",
                    "message": "x",
                ])
        }
        #expect(beacons.map(\.status) == [303, 303])
        #expect(Set(beacons.map { Self.text($0).replacing(/[\w-]{43}/, with: "") }).count == 1)
    }

    @Test("a form with an error comes back as it was filled in", arguments: ["en", "de"])
    func errors(language: String) async throws {
        let wrong = String(code.dropLast()) + (code.hasSuffix("2") ? "3" : "2")
        let cases: [[String: String]] = [
            ["code": wrong, "message": "kept <text>"], ["message": "kept <text>"],
            ["uuid": "x", "major": "1", "minor": "70000", "message": "kept <text>"],
            ["code": code, "message": ""], ["code": code, "message": String(repeating: "x", count: 501)],
            ["code": code, "message": "\u{202E}x"], ["code": "\"><script>", "message": "kept <text>"],
        ]
        for fields in cases {
            let answer = try await post("/found", fields, headers: [.acceptLanguage: language])
            let html = Self.text(answer)
            #expect(answer.status == 422 && html.contains("role=\"alert\""), "\(fields)")
            #expect(html.contains("<html lang=\"\(language)\">"))
            // The page’s own script, and nothing that was typed.
            let script = /<script type="module" src="\/assets\/finder-\w+\.js"><\/script>/
            #expect(html.matches(of: script).count == 1 && !html.replacing(script, with: "").contains("<script"))
            if fields["message"] == "kept <text>" { #expect(html.contains("kept &lt;text&gt;")) }
        }
        #expect(Self.text(try await registry.call(.get, "/found/\(wrong)")).contains("role=\"alert\""))
        for query in ["", "?uuid=x&major=%22%3E&minor=", "?code=%ff%fe"] {
            #expect(try await registry.call(.get, "/found\(query)").status == 200)
        }
        // Marks that join with the special characters.
        let link = "/found?code=x%D8%80%22%CC%81%D8%80%3E%CC%81%D8%80%3Cmeta+http-equiv%3Drefresh%3E"
        let opened = Self.text(try await registry.call(.get, link))
        #expect(opened.utf8.firstRange(of: "http-equiv=refresh".utf8) != nil)
        #expect(opened.utf8.firstRange(of: "<meta http-equiv".utf8) == nil)
        #expect(try await registry.call(.post, "/found", body: "{}").status == 415)
        let secret = String(repeating: "A", count: 43)
        for path in ["/messages/\(secret)", "/messages/x", "/messages/\(secret)%22"] {
            #expect(try await registry.call(.get, path).status == 404, "\(path)")
            #expect(try await post(path, ["message": "x"]).status == 404, "\(path)")
        }
    }

    @Test("the form is small, and a problem is a page that says what to do")
    func problems() async throws {
        #expect(try await registry.call(.get, "/found").body.count < 6000)
        let long = ["code": code, "message": String(repeating: "ä", count: 5000)]
        let answer = try await post("/found", long, headers: [.acceptLanguage: "de"])
        #expect(answer.status == 413 && Self.text(answer).contains("Das hat nicht geklappt"))
        for number in 1...4 {
            let answer = try await post("/found", ["code": code, "message": "\(number)"])
            #expect(answer.status == (number < 4 ? 303 : 429))
            if number == 4 { #expect(Self.text(answer).contains("too many conversations")) }
        }
    }

    @Test("a form from another site is refused, and a browser that does not say where a form is from is not")
    func foreign() async throws {
        let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
        let key = String(repeating: "A", count: 43)
        let fields = ["code": code, "message": "planted", "key": key]
        let foreign: [HTTPFields] = [
            [site: "cross-site"], [site: "same-site"], [.origin: "https://evil.example"],
            [site: "cross-site", .origin: "https://registry.example"],
        ]
        for headers in foreign {
            for path in ["/found", "/messages/\(key)"] {
                let answer = try await post(path, fields, headers: headers)
                #expect(answer.status == 403 && Self.text(answer).contains("Another website"), "\(headers)")
                #expect(!Self.text(answer).contains(key))
            }
        }
        #expect(try await registry.call(.get, "/messages/\(key)").status == 404)
        let own: [HTTPFields] = [
            [:], [site: "same-origin"], [.origin: "null"], [.origin: "https://registry.example"],
        ]
        for (number, headers) in own.enumerated() {
            let fields = ["uuid": "\(bike.identity.uuid)", "major": "1", "minor": "\(number)", "message": "x"]
            #expect(try await post("/found", fields, headers: headers).status == 303, "\(headers)")
        }
        // A page with an error has a new secret.
        let wrong = try await post("/found", ["code": code, "message": "", "key": key])
        #expect(wrong.status == 422 && !Self.text(wrong).contains(key))
    }

    @Test("a changed form begins another conversation, with a link of its own")
    func changed() async throws {
        var fields = ["code": code, "message": "first", "key": String(repeating: "A", count: 43)]
        let first = try Self.link(try await post("/found", fields))
        #expect(try Self.link(try await post("/found", fields)) == first)
        fields["message"] = "second"
        let second = try Self.link(try await post("/found", fields))
        #expect(second != first)
        for (path, text) in [(first, "first"), (second, "second")] {
            #expect(Self.text(try await registry.call(.get, path)).contains("<p>\(text)</p>"))
        }
        let list = try await registry.call(.get, "/v1/bikes/\(bike.id)/conversations", token: owner)
        #expect(try list.value(Page<Conversation>.self).items.count == 2)
        let bikes: Page<Bike> = try await registry.call(.get, "/v1/bikes", token: owner).value()
        #expect(bikes.items.first?.waitingMessages == 2)
    }

    @Test("after the owner has ended the conversation, its finder can still report the owner")
    func reportedLate() async throws {
        let path = try Self.link(try await post("/found", ["code": code, "message": "x"]))
        let list = "/v1/bikes/\(bike.id)/conversations"
        let page: Page<Conversation> = try await registry.call(.get, list, token: owner).value()
        let id = try #require(page.items.first?.id)
        _ = try await registry.post("\(list)/\(id)/answers", token: owner, MessageDraft(text: "a threat"))
        _ = try await registry.call(.put, "\(list)/\(id)/closure", token: owner)
        #expect(Self.text(try await registry.call(.get, path)).contains("value=\"report\""))
        #expect(try await post(path, ["action": "report"]).status == 303)
        let after = Self.text(try await registry.call(.get, path))
        #expect(after.contains("You have reported the owner") && !after.contains("value=\"report\""))
        let shown: Conversation = try await registry.call(.get, "\(list)/\(id)", token: owner).value()
        #expect(shown.reported == nil)
    }

    @Test(
        "form fields are read as browsers write them",
        arguments: [
            ("a=b+c%26&d=%E2%82%ac", ["a": "b c&", "d": "€"]), ("a", ["a": ""]), ("a=%zz&b=1", ["a": "", "b": "1"]),
            ("a=%f", ["a": ""]), ("=&&==", ["a": ""]), ("a=%ff", ["a": ""]), ("a=b=c", ["a": "b=c"]),
        ])
    func fields(body: String, expected: [String: String]) {
        let fields = FormFields(Array(body.utf8))
        for (name, value) in expected { #expect(fields[name] == value, "\(name)") }
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

extension Array {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
