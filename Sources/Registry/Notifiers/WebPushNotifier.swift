import Crypto
import Foundation
import HTTPClient
public import RegistryAPI
public import RegistryRules

/// Sends alerts to browsers through their push services (RFC 8030), encrypted for that browser alone.
///
/// The endpoint comes from a browser, so it is treated as hostile.
public struct WebPushNotifier: Notifier {
    private let key: VAPIDKey
    private let contact: String
    private let servers: OwnersServers
    private let clock: WallClock

    /// - Parameters:
    ///   - contact: a `mailto:` or `https:` URL where the services' operators can reach this registry's operator.
    ///   - allowPrivateAddresses: see ``WebhookNotifier``.
    public init(
        key: VAPIDKey, contact: String, allowPrivateAddresses: Bool, userAgent: String = "FindMyBike/1",
        clock: WallClock = .system
    ) throws {
        self.key = key
        self.contact = contact
        self.clock = clock
        servers = try OwnersServers(allowPrivateAddresses: allowPrivateAddresses, userAgent: userAgent)
    }

    public var kind: ChannelKind { .webpush }

    public var longestDelivery: Duration { OwnersServers.timeout }

    public func refusals(of draft: ChannelDraft) -> [FieldError] {
        let refusals = servers.refusals(of: draft.address)
        guard let keys = draft.keys else {
            return refusals + [FieldError(pointer: "/keys", detail: "is missing; it must be the subscription’s keys")]
        }
        guard PushEncryption(keys) == nil else { return refusals }
        let detail = "must hold p256dh, 65 bytes of a point on P-256, and auth, 16 bytes, in Base64 for URLs"
        return refusals + [FieldError(pointer: "/keys", detail: detail)]
    }

    public func deliver(_ alert: ClaimedAlert) async -> DeliveryResult {
        await servers.deliver(to: alert.channel.address, { try request(for: alert) }, judge: Self.result)
    }

    /// The message that the page's service worker receives.
    private struct Message: Encodable {
        struct Link: Encodable {
            var label: String
            var url: String
        }

        var title: String
        var body: String
        /// The notification's tag: a notification replaces an earlier one with the same tag.
        var tag: String
        var lang: String
        /// The registry's page that a tap on the notification opens, as a path.
        var url: String
        var links: [Link]
    }

    private struct UnusableKeys: Error {}

    private func request(for alert: ClaimedAlert) throws -> HTTPRequest {
        guard let encryption = alert.channel.settings.keys.flatMap(PushEncryption.init) else { throw UnusableKeys() }
        let url = alert.channel.address
        return HTTPRequest(
            .post, url: url,
            headers: [
                ("Authorization", try key.authorization(for: url, contact: contact, at: clock.now)),
                ("TTL", "\(max(0, clock.now.duration(to: alert.expires).components.seconds))"),
                ("Urgency", alert.isUrgent ? "high" : "normal"), ("Topic", Self.topic(of: alert)),
                ("Content-Encoding", "aes128gcm"), ("Content-Type", "application/octet-stream"),
            ],
            body: try encryption.encrypt(try Self.message(of: alert))
        )
    }

    /// The topic: “No more than 32 characters from the URL and filename safe Base 64 alphabet” (RFC 8030,
    /// section 5.4).
    private static func topic(of alert: ClaimedAlert) -> String {
        Base64URL(SHA256.hash(data: Data(alert.collapse.utf8)).prefix(24)).text
    }

    private static func message(of alert: ClaimedAlert) throws -> [UInt8] {
        let text = alert.text
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let links = text.links.map { Message.Link(label: $0.label, url: $0.url) }
        return try text.body.fitting(PushEncryption.limit) { body in
            let message = Message(
                title: text.title, body: body, tag: alert.collapse, lang: text.language.rawValue, url: alert.page,
                links: links)
            return [UInt8](try encoder.encode(message))
        }
    }

    /// The words that Apple's, Google's and Mozilla's push services use if a subscription was made with another key.
    /// Responses are only searched for them, never shown, since the peer may be hostile.
    private static let otherKeyWords = [
        "VapidPkHashMismatch", "do not correspond to the credentials used to create the subscription",
        "does not correspond to the sender ID", "VAPID public key mismatch",
    ].map { Array($0.utf8) }

    /// Whether a response says that the subscription was made with another key.
    private static func isOfOtherKey(_ response: HTTPResponse) -> Bool {
        let body = response.body.prefix(4096)
        return otherKeyWords.contains { words in
            body.indices.contains { body[$0...].starts(with: words) }
        }
    }

    /// What the status of a response means for the alert (RFC 8030, section 7); 404 or 410 means that the subscription
    /// no longer exists.
    static func result(of response: HTTPResponse) -> DeliveryResult {
        switch response.status {
        case 200..<300: .delivered
        case 404, 410: .gone(reason: "the browser’s subscription has ended (status \(response.status))")
        // A browser's subscription is bound to the key that it was made with (RFC 8292, section 4.2).
        case 400 where isOfOtherKey(response), 401 where isOfOtherKey(response), 403 where isOfOtherKey(response):
            .giveUp(
                reason:
                    "this device was turned on with an earlier key of this registry: open the account’s page on it, "
                    + "which turns it on again")
        // Apple responds so to an unusable contact, other services to a clock that is wrong by hours.
        case 401, 403:
            .retry(
                after: response.retryAfter,
                reason: "the push service does not accept this registry’s signature (status \(response.status)): the "
                    + "registry’s operator must check webpush.contact, webpush.keyFile and the machine’s clock")
        case 400, 413: .giveUp(reason: "the push service refuses the message (status \(response.status))")
        default: .retry(after: response.retryAfter, reason: "the push service answered with \(response.status)")
        }
    }
}
