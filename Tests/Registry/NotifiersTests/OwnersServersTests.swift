import Foundation
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import TestSupport
import Testing

@testable import Notifiers

@Suite("Web Push, ntfy and webhooks against libraries from other projects")
struct OwnersServersTests {
    private let clock = HandClock()
    private let peer: JudgingPeer

    init() throws { peer = try JudgingPeer("push") }

    private struct Subscription: Decodable {
        let endpoint: String
        let keys: PushKeys
    }

    private struct Seen<Message: Decodable>: Decodable {
        struct Claims: Decodable {
            let aud: String
            let exp: Int64
            let sub: String
        }
        let path: String
        let headers: [String: String]
        let message: Message
        let claims: Claims?
        let key: String?
    }

    private struct PushMessage: Decodable {
        let title: String
        let body: String
        let tag: String
        let lang: String
        let url: String
    }

    private func pushNotifier(_ key: VAPIDKey = VAPIDKey(), allowPrivate: Bool = true) throws -> WebPushNotifier {
        try WebPushNotifier(
            key: key, contact: "mailto:operator@example.org", allowPrivateAddresses: allowPrivate,
            clock: clock.wallClock
        )
    }

    private func pushAlert(_ path: String = "") async throws -> ClaimedAlert {
        let subscription: Subscription = try await peer.shown("/subscription")
        return .sample(
            .webpush, subscription.endpoint + path, settings: ChannelSettings(keys: subscription.keys),
            created: clock.now
        )
    }

    @Test("a browser can decrypt its message, and its push service can identify the sender")
    func push() async throws {
        let key = VAPIDKey()
        let alert = try await pushAlert()
        #expect(await (try pushNotifier(key)).deliver(alert) == .delivered)
        let seen: [Seen<PushMessage>] = try await peer.shown("/")
        let request = try #require(seen.first)
        #expect(request.message.title == alert.text.title && request.message.tag == alert.collapse)
        #expect(request.message.body.contains(alert.text.paragraphs[0]) && request.message.lang == "en")
        #expect(request.message.url == "/my/bikes/\(Samples.bikeSummary.id)")
        #expect(request.key == key.publicKey)
        #expect(request.claims?.sub == "mailto:operator@example.org")
        #expect(request.claims?.exp == clock.now.milliseconds / 1000 + 12 * 3600)
        #expect(request.headers["ttl"] == "\(3 * 86_400)" && request.headers["urgency"] == "high")
        #expect(request.headers["topic"]?.utf8.count == 32 && request.headers["content-encoding"] == "aes128gcm")
    }

    @Test("a long text is truncated to one record")
    func longPush() async throws {
        var alert = try await pushAlert()
        let notice = OwnerNotice(.beaconFound, bike: Samples.bikeSummary, subject: String(repeating: "ü", count: 5000))
        alert.content = .notice(notice)
        #expect(await (try pushNotifier()).deliver(alert) == .delivered)
    }

    private static let otherKey =
        "this device was turned on with an earlier key of this registry: open the account’s page on it, which turns it on again"

    private static func unsigned(_ status: Int) -> String {
        "the push service does not accept this registry’s signature (status \(status)): the registry’s operator must check "
            + "webpush.contact, webpush.keyFile and the machine’s clock"
    }

    @Test(
        "the response of the push service determines the outcome",
        arguments: [
            ("404", DeliveryResult.gone(reason: "the browser’s subscription has ended (status 404)")),
            ("410", .gone(reason: "the browser’s subscription has ended (status 410)")),
            ("400-key", .giveUp(reason: otherKey)), ("401-key", .giveUp(reason: otherKey)),
            ("403-key", .giveUp(reason: otherKey)),
            ("400", .giveUp(reason: "the push service refuses the message (status 400)")),
            ("401", .retry(after: nil, reason: unsigned(401))), ("403", .retry(after: nil, reason: unsigned(403))),
            ("413", .giveUp(reason: "the push service refuses the message (status 413)")),
            ("429", .retry(after: .seconds(60), reason: "the push service answered with 429")),
            ("500", .retry(after: nil, reason: "the push service answered with 500")),
        ])
    func pushResults(status: String, result: DeliveryResult) async throws {
        #expect(await (try pushNotifier()).deliver(try await pushAlert("/\(status)")) == result)
    }

    private struct NtfyMessage: Decodable {
        let topic: String
        let title: String
        let message: String
        let priority: Int
        let tags: [String]
    }

    private func ntfyAlert(_ topic: String) -> ClaimedAlert {
        .sample(
            .ntfy, "http://127.0.0.1:\(peer.peer.port)/\(topic)", settings: ChannelSettings(accessToken: "tk_x"),
            created: clock.now
        )
    }

    @Test("a topic gets the alert with its priority and the owner’s token")
    func ntfy() async throws {
        let alert = ntfyAlert("my-bike")
        #expect(await (try NtfyNotifier(allowPrivateAddresses: true)).deliver(alert) == .delivered)
        let seen: [Seen<NtfyMessage>] = try await peer.shown("/")
        let request = try #require(seen.first)
        #expect(request.path == "/" && request.headers["authorization"] == "Bearer tk_x")
        #expect(request.message.topic == "my-bike" && request.message.title == alert.text.title)
        #expect(request.message.priority == 5 && request.message.tags == ["bike"])
        #expect(request.message.message == alert.text.body)
        // Anyone who knows a topic's name can read it.
        #expect(!request.message.message.contains("51.5"))
    }

    @Test("a long message is truncated to what ntfy shows as text")
    func longNtfy() async throws {
        var alert = ntfyAlert("my-bike")
        let notice = OwnerNotice(.beaconFound, bike: Samples.bikeSummary, subject: String(repeating: "ü", count: 5000))
        alert.content = .notice(notice)
        #expect(await (try NtfyNotifier(allowPrivateAddresses: true)).deliver(alert) == .delivered)
        let seen: [Seen<NtfyMessage>] = try await peer.shown("/")
        #expect(seen.first.map { (3900...4096).contains($0.message.message.utf8.count) } == true)
    }

    @Test(
        "the response of an ntfy server determines the outcome",
        arguments: [
            ("401", DeliveryResult.giveUp(reason: "the server refuses the access token (status 401)")),
            ("413", .giveUp(reason: "the server refuses the message (status 413)")),
            ("429", .retry(after: .seconds(60), reason: "the server answered with status 429")),
            ("503", .retry(after: nil, reason: "the server answered with status 503")),
        ])
    func ntfyResults(status: String, result: DeliveryResult) async throws {
        #expect(await (try NtfyNotifier(allowPrivateAddresses: true)).deliver(ntfyAlert(status)) == result)
    }

    @Test("owners' addresses are refused on the connected socket if they are not public")
    func privateAddresses() async throws {
        let reason = "the URL leads to an address that is not public"
        let port = peer.peer.port
        let subscription: Subscription = try await peer.shown("/subscription")
        let push = ClaimedAlert.sample(
            .webpush, "https://127.0.0.1:\(port)/push", settings: ChannelSettings(keys: subscription.keys),
            created: clock.now
        )
        #expect(await (try pushNotifier(allowPrivate: false)).deliver(push) == .giveUp(reason: reason))
        let ntfy = ClaimedAlert.sample(.ntfy, "https://127.0.0.1:\(port)/topic", created: clock.now)
        #expect(
            await (try NtfyNotifier(allowPrivateAddresses: false)).deliver(ntfy) == .giveUp(reason: reason))
    }

    private struct WebhookMessage: Decodable { let type: String }

    @Test("the package standardwebhooks verifies a webhook’s signature")
    func webhook() async throws {
        // The package compares the timestamp with the machine's own clock.
        let now = WallClock.system.now
        let url = "http://127.0.0.1:\(peer.peer.port)/webhook"
        let alert = ClaimedAlert.sample(.webhook, url, created: now)
        #expect(await (try WebhookNotifier(allowPrivateAddresses: true)).deliver(alert) == .delivered)
        let seen: [Seen<WebhookMessage>] = try await peer.shown("/")
        #expect(seen.first?.message.type == "sighting.created")
    }
}
