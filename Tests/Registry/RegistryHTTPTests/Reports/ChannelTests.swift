import FoundationEssentials
import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistrySQLite
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("Channels")
struct ChannelTests {
    private static let address = "me@example.org"

    private func addEmail(_ registry: Harness, of owner: String) async throws -> Channel {
        let draft = ChannelDraft(kind: .email, address: Self.address)
        return try await registry.post("/v1/channels", token: owner, draft).value(ChannelCreated.self).channel
    }

    /// The path and query of the link in the verification message.
    private func link(_ registry: Harness) async throws -> String {
        let notice = try #require(try await registry.notices().last { $0.event == .channelVerification })
        let link = try #require(notice.subject)
        #expect(link.hasPrefix("https://registry.example/v1/verification/"))
        return String(link.dropFirst("https://registry.example".count))
    }

    @Test("the button behind the link verifies an e-mail address, but opening the link does not")
    func verification() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let channel = try await addEmail(registry, of: owner)
        #expect(channel.verified == nil)
        let link = try await link(registry)
        let path = "/v1/channels/\(channel.id)"
        // Mail scanners open links.
        let page = try await registry.call(.get, link)
        #expect(page.status == 200 && page.headers[.contentType] == "text/html; charset=utf-8")
        #expect(page.headers[.cacheControl] == "no-store")
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(text.contains(Self.address) && text.contains("<form method=\"post\">"))
        #expect(try await registry.call(.get, path, token: owner).value(Channel.self).verified == nil)
        for _ in 0..<2 { #expect(try await registry.call(.post, link).status == 200) }
        #expect(try await registry.call(.get, path, token: owner).value(Channel.self).verified == registry.clock.now)
        let again = try await registry.call(.post, "\(path)/verification", token: owner)
        #expect(again.status == 409 && again.problem == "channel-verified")
    }

    @Test("a link is valid for one purpose, one channel, one address and 24 hours")
    func wrongLinks() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let channel = try await addEmail(registry, of: owner)
        let link = try await link(registry)
        let other = try await addEmail(registry, of: owner)
        let forged = [
            link + "x", String(link.dropLast()), link.replacing("verification", with: "unsubscription"),
            link.replacing("\(channel.id)", with: "\(other.id)"), "/v1/verification/\(channel.id)",
            "/v1/verification/x?code=1", link.replacing("code=1", with: "code=2"),
        ]
        for link in forged {
            for method in [HTTPRequest.Method.get, .post] {
                let answer = try await registry.call(method, link)
                #expect(answer.status == 403, "\(link)")
            }
        }
        registry.clock.advance(by: .days(1))
        #expect(try await registry.call(.post, link).status == 403)
    }

    @Test("the page is in the browser’s language")
    func language() async throws {
        let registry = try Harness()
        _ = try await addEmail(registry, of: try await registry.newOwner())
        let link = try await link(registry)
        for (wanted, word) in [
            ("de-AT,en;q=0.5", "Ja, dorthin"), ("la, en", "Yes, send them"), ("pl", "Tak, wysyłaj"), ("", "Yes"),
        ] {
            let page = try await registry.call(.get, link, headers: [.acceptLanguage: wanted])
            #expect(String(decoding: page.body, as: UTF8.self).contains(word))
        }
    }

    @Test(
        "a code with an impossible expiry time is invalid",
        arguments: ["\(Int64.max).x", "\(Int64.max / 1000 + 1).x", "\(Int64.min).x", "", ".", "1", "%CC%81%CC%81"]
    )
    func impossibleCode(code: String) async throws {
        let registry = try Harness()
        let channel = try await addEmail(registry, of: try await registry.newOwner())
        for purpose in ["verification", "unsubscription"] {
            for method in [HTTPRequest.Method.get, .post] {
                let answer = try await registry.call(method, "/v1/\(purpose)/\(channel.id)?code=\(code)")
                #expect(answer.status == 403)
            }
        }
    }

    @Test("one-click unsubscribe removes the channel and notifies the owner on the others")
    func unsubscription() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        _ = try await registry.post("/v1/channels", token: owner, Samples.webhook)
        let channel = try await addEmail(registry, of: owner)
        let linked = try #require(try await registry.store.linkedChannel(channel.id))
        let code = ChannelCode(.unsubscription, of: channel.id, at: channel.address, secret: linked.secret)
        let link = code.link(at: "", registry.clock.now)
        #expect(try await registry.call(.get, link).status == 200)
        let click = try await registry.call(
            .post, link, body: "List-Unsubscribe=One-Click",
            headers: [.contentType: "application/x-www-form-urlencoded"]
        )
        #expect(click.status == 200)
        let channels = try await registry.call(.get, "/v1/channels", token: owner).value(Page<Channel>.self).items
        #expect(channels.map(\.kind) == [.webhook])
        #expect(try await registry.notices().contains { $0.event == .channelRemoved })
        #expect(try await registry.call(.post, link).status == 403)
    }

    @Test("a channel test reports the result, is limited to five an hour, and needs a verified channel")
    func tests() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let created = try await registry.post("/v1/channels", token: owner, Samples.webhook)
        let path = "/v1/channels/\(try created.value(ChannelCreated.self).channel.id)/test"
        for _ in 0..<5 {
            let result: ChannelTestResult = try await registry.call(.post, path, token: owner).value()
            #expect(result == ChannelTestResult(delivered: true, detail: "The message was accepted."))
        }
        let sixth = try await registry.call(.post, path, token: owner)
        #expect(sixth.status == 429 && sixth.problem == "too-many-messages")
        #expect(sixth.headers[.retryAfter] == "3600")
        let email = try await addEmail(registry, of: owner)
        let unverified = try await registry.call(.post, "/v1/channels/\(email.id)/test", token: owner)
        #expect(unverified.status == 409 && unverified.problem == "channel-unverified")
        let stranger = try await registry.newOwner()
        #expect(try await registry.call(.post, path, token: stranger).status == 404)
    }

    @Test("verification messages are limited to five an hour")
    func questions() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        for _ in 0..<5 { _ = try await addEmail(registry, of: owner) }
        let answer = try await registry.post(
            "/v1/channels", token: owner, ChannelDraft(kind: .email, address: "victim@example.org")
        )
        #expect(answer.status == 429)
    }

    @Test("messages sent to a channel are listed in pages")
    func deliveries() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let channel = try await addEmail(registry, of: owner)
        let path = "/v1/channels/\(channel.id)/deliveries"
        #expect(try await registry.call(.post, "/v1/channels/\(channel.id)/verification", token: owner).status == 202)
        let page: Page<ChannelDelivery> = try await registry.call(.get, path + "?limit=1", token: owner).value()
        #expect(page.items.map(\.event) == ["channel.verification"])
        let next = try #require(page.next)
        let rest: Page<ChannelDelivery> =
            try await registry.call(.get, path + "?limit=1&cursor=\(next)", token: owner).value()
        #expect(rest.items.count == 1 && rest.items[0].id < page.items[0].id && rest.next == nil)
    }

    @Test("a channel's secret is kept with its address, is never sent to another address, and is never shown")
    func secrets() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let draft = ChannelDraft(kind: .ntfy, address: "https://ntfy.example.org/a", accessToken: "tk_secret")
        let created = try await registry.post("/v1/channels", token: owner, draft)
        #expect(!String(decoding: created.body, as: UTF8.self).contains("secret"))
        let channel = try created.value(ChannelCreated.self).channel
        let path = "/v1/channels/\(channel.id)"
        for (url, token) in [("https://ntfy.example.org/a", "tk_secret"), ("https://ntfy.example.org/b", nil)] {
            let body = #"{"kind": "ntfy", "url": "\#(url)", "coordinates": true, "after": 5}"#
            let tag = try await registry.tag(path, token: owner)
            let changed = try await registry.call(.put, path, token: owner, body: body, headers: tag)
            #expect(changed.status == 200)
            let value: Channel = try changed.value()
            #expect(value.coordinates && value.after == 5 && value.address == url)
            #expect(try await registry.store.linkedChannel(channel.id)?.settings.accessToken == token)
        }
    }

    @Test("a field of another kind of channel is refused and named")
    func foreignFields() async throws {
        let registry = try Harness()
        let body = """
            {"kind": "webhook", "url": "https://example.org/hook", "environment": "sandbox", "accessToken": "t",
            "keys": {"p256dh": "a", "auth": "b"}, "after": 0}
            """
        let answer = try await registry.call(.post, "/v1/channels", token: try await registry.newOwner(), body: body)
        #expect(answer.status == 422)
        #expect(Set(answer.pointers) == ["/environment", "/accessToken", "/keys", "/after"])
    }

    @Test("browsers get the Web Push key if one is configured")
    func webPushKey() async throws {
        #expect(try await Harness().call(.get, "/v1/web-push/key").status == 404)
        let registry = try Harness(webPushKey: "BAAA")
        let key: WebPushKey = try await registry.call(.get, "/v1/web-push/key").value()
        #expect(key.publicKey == "BAAA")
    }
}
