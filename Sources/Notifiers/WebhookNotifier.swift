import Foundation
import HTTPClient
public import Registry
public import RegistryAPI

/// Posts alerts to an owner's URL, signed by the Standard Webhooks specification.
public struct WebhookNotifier: Notifier {
    private let servers: OwnersServers
    private let clock: WallClock

    /// - Parameters:
    ///   - allowPrivateAddresses: whether private, loopback and link-local addresses may be connected to, and plain
    ///     `http` may be spoken.
    ///   - userAgent: how the registry introduces itself.
    public init(
        allowPrivateAddresses: Bool, userAgent: String = "FindMyBike/1", clock: WallClock = .system
    ) throws {
        servers = try OwnersServers(allowPrivateAddresses: allowPrivateAddresses, userAgent: userAgent)
        self.clock = clock
    }

    public var kind: ChannelKind { .webhook }

    public func refusals(of draft: ChannelDraft) -> [FieldError] { servers.refusals(of: draft.url) }

    public func deliver(_ alert: ClaimedAlert) async -> DeliveryResult {
        await servers.deliver(to: alert.channel.url, { try request(for: alert) }, judge: Self.result)
    }

    private func request(for alert: ClaimedAlert) throws -> HTTPRequest {
        guard let secret = StandardWebhooks.Secret(alert.channel.secret.text) else { throw UnusableSecret() }
        let body = try Self.body(of: alert)
        let signature = StandardWebhooks.headers(
            id: alert.id.description, time: clock.now, body: body, secret: secret
        )
        let headers = signature + [("Content-Type", MediaType.json)]
        return HTTPRequest(.post, url: alert.channel.url, headers: headers, body: body)
    }

    private struct UnusableSecret: Error {}

    static func body(of alert: ClaimedAlert) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data =
            switch alert.content {
            case .sighting(let content):
                try encoder.encode(SightingAlert(content, created: alert.created, reader: alert.reader))
            case .digest(let content):
                try encoder.encode(SightingsDigest(content, created: alert.created, reader: alert.reader))
            case .notice(let notice):
                try encoder.encode(NoticeAlert(notice, created: alert.created, reader: alert.reader))
            }
        return [UInt8](alert.channel.coordinates ? data : try withoutPlaces(data))
    }

    /// The same without where a sighting was: the owner does not want it told here.
    private static func withoutPlaces(_ body: Data) throws -> Data {
        guard var message = try JSONSerialization.jsonObject(with: body) as? [String: Any],
            var data = message["data"] as? [String: Any]
        else { return body }
        let withoutPlace = { (sighting: [String: Any]) in
            sighting.filter { !["place", "claimedPlace"].contains($0.key) }
        }
        if let sighting = data["sighting"] as? [String: Any] { data["sighting"] = withoutPlace(sighting) }
        if let sightings = data["sightings"] as? [[String: Any]] { data["sightings"] = sightings.map(withoutPlace) }
        message["data"] = data
        return try JSONSerialization.data(withJSONObject: message, options: [.sortedKeys, .withoutEscapingSlashes])
    }

    /// 2xx is delivered; 410 means that the receiver wants no more (Standard Webhooks, “Operational considerations”).
    static func result(of response: HTTPResponse) -> DeliveryResult {
        switch response.status {
        case 200..<300: .delivered
        case 300..<400:
            .retry(after: nil, reason: "the receiver redirects (status \(response.status)): set its final URL")
        case 410: .giveUp(reason: "the receiver is gone (status 410)")
        default:
            .retry(after: response.retryAfter, reason: "the receiver answered with status \(response.status)")
        }
    }
}
