import Foundation
import HTTPClient
public import RegistryAPI
public import RegistryRules
import Syntax

/// Publishes alerts to a topic on any ntfy server (https://docs.ntfy.sh/publish/#publish-as-json).
///
/// The owner chooses the server, so it is treated as hostile.
public struct NtfyNotifier: Notifier {
    /// The maximum length of a message in bytes; a longer one would become an attachment.
    static let limit = 4096

    private let servers: OwnersServers

    /// - Parameter allowPrivateAddresses: see ``WebhookNotifier``.
    public init(allowPrivateAddresses: Bool, userAgent: String = "FindMyBike/1") throws {
        servers = try OwnersServers(allowPrivateAddresses: allowPrivateAddresses, userAgent: userAgent)
    }

    public var kind: ChannelKind { .ntfy }

    public var longestDelivery: Duration { OwnersServers.timeout }

    public func refusals(of draft: ChannelDraft) -> [FieldError] {
        let refusals = servers.refusals(of: draft.address)
        guard refusals.isEmpty, Topic(draft.address) == nil else { return refusals }
        return [FieldError(pointer: "/url", detail: "must be a topic’s URL as in https://ntfy.example.org/my-topic")]
    }

    public func deliver(_ alert: ClaimedAlert) async -> DeliveryResult {
        await servers.deliver(to: alert.channel.address, { try Self.request(for: alert) }, judge: Self.result)
    }

    /// A server and a topic on it.
    private struct Topic {
        let server: String
        let name: String

        /// Parses a topic URL; nil if it does not end with a topic name: 1 to 64 ASCII letters, digits, `-` and `_`.
        init?(_ url: String) {
            guard let slash = url.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
            let name = url[url.utf8.index(after: slash)...]
            let isName = name.utf8.allSatisfy(Self.isAllowed)
            // In “https://name”, the last slash is before the host.
            guard isName, (1...64).contains(name.utf8.count), !url[..<slash].ends(with: "/") else { return nil }
            server = String(url[...slash])
            self.name = String(name)
        }

        private static func isAllowed(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
    }

    /// The body of a request, in the server's own words.
    private struct Message: Encodable {
        /// A button that opens a link.
        struct Action: Encodable {
            var action = "view"
            var label: String
            var url: String
        }

        var topic: String
        var title: String
        var message: String
        /// The priority from 1 to 5: 3 is the default, 5 rings.
        var priority: Int
        var tags = ["bike"]
        /// The address that a tap on the notification opens.
        var click: String?
        /// The actions, at most three.
        var actions: [Action]
    }

    private struct UnusableTopic: Error {}

    private static func request(for alert: ClaimedAlert) throws -> HTTPRequest {
        guard let topic = Topic(alert.channel.address) else { throw UnusableTopic() }
        let text = alert.text
        let body = text.body.fitting(limit) { Array($0.utf8) }
        let message = Message(
            topic: topic.name, title: text.title, message: String(decoding: body, as: UTF8.self),
            priority: alert.isUrgent ? 5 : 3, click: text.links.first?.url,
            actions: text.links.prefix(3).map { Message.Action(label: $0.label, url: $0.url) }
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var headers = [("Content-Type", MediaType.json)]
        if let token = alert.channel.settings.accessToken { headers.append(("Authorization", "Bearer \(token)")) }
        return HTTPRequest(.post, url: topic.server, headers: headers, body: [UInt8](try encoder.encode(message)))
    }

    /// What the status of a response means for the alert.
    static func result(of response: HTTPResponse) -> DeliveryResult {
        switch response.status {
        case 200..<300: .delivered
        case 401, 403: .giveUp(reason: "the server refuses the access token (status \(response.status))")
        case 400, 404, 413: .giveUp(reason: "the server refuses the message (status \(response.status))")
        default: .retry(after: response.retryAfter, reason: "the server answered with status \(response.status)")
        }
    }
}
