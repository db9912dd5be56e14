import Foundation
import HTTPClient
public import Registry
public import RegistryAPI

/// Posts alerts to an owner's URL, signed by the Standard Webhooks specification.
///
/// The URL is hostile: unless the operator allows others, only public addresses are connected to; redirects are not
/// followed; nothing of the answer but its status and `Retry-After` is used or shown.
public struct WebhookNotifier: Notifier {
    private let address: WebhookAddress
    private let connections: ConnectionPool
    private let clock: WallClock

    /// - Parameters:
    ///   - allowPrivateAddresses: whether private, loopback and link-local addresses may be connected to, and plain
    ///     `http` may be spoken.
    ///   - userAgent: how the registry introduces itself.
    public init(allowPrivateAddresses: Bool, userAgent: String = "FindMyBike/1", clock: WallClock = .system) {
        address = WebhookAddress(allowPrivateAddresses: allowPrivateAddresses)
        self.clock = clock
        connections = ConnectionPool(
            HTTPConfiguration(
                connectTimeout: .seconds(5), timeout: .seconds(15), responseLimit: 64 << 10,
                addresses: allowPrivateAddresses ? .any : .publicOnly, userAgent: userAgent
            )
        )
    }

    public var kind: ChannelKind { .webhook }

    public func refusals(of draft: ChannelDraft) -> [FieldError] {
        address.refusal(of: draft.url).map { [FieldError(pointer: "/url", detail: $0)] } ?? []
    }

    public func deliver(_ alert: ClaimedAlert) async -> DeliveryResult {
        // The operator's rule may have become stricter since the channel was made.
        if let refusal = address.refusal(of: alert.channel.url) { return .giveUp(reason: "the URL \(refusal)") }
        do {
            let request = try request(for: alert)
            let response = try await connections.withConnection { try await $0.send(request) }
            return Self.result(of: response)
        } catch HTTPError.addressRefused {
            return .giveUp(reason: "the URL leads to an address that is not public")
        } catch HTTPError.responseTooLarge {
            return .retry(after: nil, reason: "the receiver’s answer was too large")
        } catch let error as HTTPError {
            return .retry(after: nil, reason: Self.reason(error))
        } catch {
            return .retry(after: nil, reason: "the delivery was interrupted")
        }
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

    private static func body(of alert: ClaimedAlert) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data =
            switch alert.content {
            case .sighting(let content):
                try encoder.encode(SightingAlert(content, created: alert.created, reader: alert.reader))
            case .notice(let notice):
                try encoder.encode(NoticeAlert(notice, created: alert.created, reader: alert.reader))
            }
        return [UInt8](data)
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

    /// Why no answer came, in words of this program: libcurl's own could quote the peer.
    static func reason(_ error: HTTPError) -> String {
        guard case .transfer(let code, _) = error else { return "the receiver could not be reached" }
        // libcurl-errors(3).
        switch code {
        case 6: return "the receiver’s name could not be resolved"
        case 7: return "the receiver refused the connection"
        case 28: return "the receiver did not answer in time"
        case 35, 51, 53, 54, 58, 59, 60, 77, 83, 91: return "the receiver’s TLS or certificate failed (curl \(code))"
        default: return "the receiver could not be reached (curl \(code))"
        }
    }
}
