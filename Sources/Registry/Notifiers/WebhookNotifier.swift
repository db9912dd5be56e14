import HTTPClient
public import RegistryAPI
public import RegistryRules

/// Posts alerts to an owner's URL, signed according to the Standard Webhooks specification.
public struct WebhookNotifier: Notifier {
    private let servers: OwnersServers
    private let clock: WallClock

    /// - Parameters:
    ///   - allowPrivateAddresses: whether to allow connections to private, loopback and link-local addresses,
    ///     and plain `http`.
    ///   - userAgent: the value of the `User-Agent` field.
    public init(
        allowPrivateAddresses: Bool, userAgent: String = "FindMyBike/1", clock: WallClock = .system
    ) throws {
        servers = try OwnersServers(allowPrivateAddresses: allowPrivateAddresses, userAgent: userAgent)
        self.clock = clock
    }

    public var kind: ChannelKind { .webhook }

    public var longestDelivery: Duration { OwnersServers.timeout }

    public func refusals(of draft: ChannelDraft) -> [FieldError] { servers.refusals(of: draft.address) }

    public func deliver(_ alert: ClaimedAlert) async -> DeliveryResult {
        await servers.deliver(to: alert.channel.address, { try request(for: alert) }, judge: Self.result)
    }

    private func request(for alert: ClaimedAlert) throws -> HTTPRequest {
        let body = try WebhookMessage.body(of: alert)
        let signature = StandardWebhooks.headers(
            id: alert.id.description, time: clock.now, body: body, secret: alert.channel.secret
        )
        let headers = signature + [("Content-Type", MediaType.json)]
        return HTTPRequest(.post, url: alert.channel.address, headers: headers, body: body)
    }

    /// What the status of a response means for the alert: 2xx is delivered; 410 means that the receiver wants no more
    /// messages (Standard Webhooks, “Operational considerations”).
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
