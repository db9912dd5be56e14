import HTTPClient
public import RegistryAPI
public import RegistryRules

/// Sends alerts to devices through Apple's push service, over HTTP/2 with a provider token.
public struct APNsNotifier: Notifier {
    /// The hosts of the two services.
    public struct Hosts: Sendable {
        public var production = "https://api.push.apple.com"
        public var sandbox = "https://api.sandbox.push.apple.com"
        /// A PEM file with certificates to trust instead of the system's; nil for the system's.
        public var certificateAuthorityFile: String?

        public init() {}

        subscript(environment: PushEnvironment) -> String { environment == .production ? production : sandbox }
    }

    /// The timeout of a request, response included.
    private static let timeout = Duration.seconds(15)

    private let key: APNsKey
    private let topic: String
    private let hosts: Hosts
    private let transport: HTTPMultiplexer

    /// - Parameters:
    ///   - topic: the app's bundle identifier.
    ///   - concurrency: the maximum number of concurrent deliveries.
    /// - Throws: an error if libcurl cannot be set up.
    public init(key: APNsKey, topic: String, hosts: Hosts = Hosts(), concurrency: Int = 500) throws {
        self.key = key
        self.topic = topic
        self.hosts = hosts
        transport = try HTTPMultiplexer(
            HTTPConfiguration(
                timeout: Self.timeout, responseLimit: 16 << 10,
                certificateAuthorityFile: hosts.certificateAuthorityFile, waitsForStreams: true
            ),
            concurrency: concurrency, connections: 2
        )
    }

    public var kind: ChannelKind { .apns }

    /// Up to two services are tried, each once more if it rejects the provider token.
    public var longestDelivery: Duration { Self.timeout * 4 }

    /// Checks the device token: hexadecimal digits of any length (“Don't make assumptions
    /// about the size of device tokens”).
    public func refusals(of draft: ChannelDraft) -> [FieldError] {
        let isToken = (2...512).contains(draft.address.utf8.count) && draft.address.utf8.count.isMultiple(of: 2)
        guard isToken, draft.address.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
            return [FieldError(pointer: "/url", detail: "must be a device’s token in hexadecimal digits")]
        }
        return []
    }

    /// Delivers an alert. If the device's service is not known, or no longer right, both are tried.
    public func deliver(_ alert: ClaimedAlert) async -> DeliveryResult {
        let known = alert.channel.settings.environment
        let first = known ?? .production
        do {
            switch try await push(alert, to: first) {
            case .wrongEnvironment: break
            case let answer: return Self.result(of: answer, from: first, known: known)
            }
            let answer = try await push(alert, to: first.other)
            guard answer != .wrongEnvironment else {
                return .giveUp(reason: "neither of Apple’s services knows the device’s token")
            }
            return Self.result(of: answer, from: first.other, known: known)
        } catch let error as HTTPError {
            return DeliveryResult(error)
        } catch {
            return .retry(after: nil, reason: "the delivery was interrupted")
        }
    }

    /// - Parameters:
    ///   - environment: the service that answered.
    ///   - known: the service that delivered to this device before; nil if none has yet.
    private static func result(
        of answer: APNsAnswer, from environment: PushEnvironment, known: PushEnvironment?
    ) -> DeliveryResult {
        switch answer {
        case .delivered: environment == known ? .delivered : .deliveredBy(environment)
        case .failed(let result): result
        case .expiredProviderToken, .wrongEnvironment:
            .retry(after: nil, reason: "Apple’s clock and the registry’s differ")
        }
    }

    /// Sends an alert to one service, and once more if it takes the provider token for expired.
    private func push(_ alert: ClaimedAlert, to environment: PushEnvironment) async throws -> APNsAnswer {
        let body = try APNsPayload.bytes(of: alert)
        let token = try key.token()
        let answer = APNsAnswer(try await transport.send(request(alert, environment, token, body)))
        guard answer == .expiredProviderToken, let newer = try key.token(after: token) else { return answer }
        return APNsAnswer(try await transport.send(request(alert, environment, newer, body)))
    }

    private func request(
        _ alert: ClaimedAlert, _ environment: PushEnvironment, _ token: String, _ body: [UInt8]
    ) -> HTTPRequest {
        HTTPRequest(
            .post, url: "\(hosts[environment])/3/device/\(alert.channel.address)",
            headers: [
                ("authorization", "bearer \(token)"), ("apns-id", alert.id.description), ("apns-topic", topic),
                ("apns-push-type", "alert"), ("apns-priority", alert.isUrgent ? "10" : "5"),
                ("apns-expiration", "\(alert.expires.milliseconds / 1000)"), ("apns-collapse-id", alert.collapse),
                ("content-type", MediaType.json),
            ],
            body: body
        )
    }
}
