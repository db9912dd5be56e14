import HTTPClient
import RegistryAPI
import RegistryRules

/// Servers at addresses given by owners, each of which may be hostile.
///
/// Unless the operator allows private addresses, only public ones are connected to; the check is done on the connected
/// socket. Redirects are not followed. Only the status and `Retry-After` of a response are used or shown; Web Push also
/// looks for constant words in it.
struct OwnersServers: Sendable {
    /// The timeout of a request, response included.
    static let timeout = Duration.seconds(15)

    /// The operator's rule for addresses.
    private let address: WebhookAddress
    private let transport: HTTPMultiplexer

    init(allowPrivateAddresses: Bool, userAgent: String) throws {
        address = WebhookAddress(allowPrivateAddresses: allowPrivateAddresses)
        transport = try HTTPMultiplexer(
            HTTPConfiguration(
                connectTimeout: .seconds(5), timeout: Self.timeout, responseLimit: 64 << 10,
                addresses: allowPrivateAddresses ? .any : .publicOnly, userAgent: userAgent
            )
        )
    }

    /// The errors of a channel whose address is this URL; empty if the address may be used.
    func refusals(of url: String) -> [FieldError] {
        address.refusal(of: url).map { [FieldError(pointer: "/url", detail: $0)] } ?? []
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - url: the channel's address, which is checked again.
    ///   - request: makes the request; if it throws, the channel's settings are taken for unusable.
    ///   - judge: what a response means for the alert.
    func deliver(
        to url: String, _ request: () throws -> HTTPRequest, judge: (HTTPResponse) -> DeliveryResult
    ) async -> DeliveryResult {
        // The operator's rule may have become stricter since the channel was created.
        if let refusal = address.refusal(of: url) { return .giveUp(reason: "the URL \(refusal)") }
        do {
            return judge(try await transport.send(try request()))
        } catch let error as HTTPError {
            return DeliveryResult(error)
        } catch is CancellationError {
            return .retry(after: nil, reason: "the delivery was interrupted")
        } catch {
            return .giveUp(reason: "the channel’s settings cannot be used: add it again")
        }
    }
}

extension DeliveryResult {
    /// The delivery result for a request without a response.
    init(_ error: HTTPError) {
        switch error {
        case .addressRefused: self = .giveUp(reason: "the URL leads to an address that is not public")
        case .responseTooLarge: self = .retry(after: nil, reason: "the receiver’s answer was too large")
        case .invalidHeader: self = .giveUp(reason: "the channel’s settings contain a character that cannot be sent")
        case .transfer(let code, _, _): self = .retry(after: nil, reason: Self.reason(code))
        }
    }

    /// The reason why there was no response, in this program's own words: libcurl's could quote the peer.
    static func reason(_ code: UInt32) -> String {
        // libcurl-errors(3).
        switch code {
        case 6: "the receiver’s name could not be resolved"
        case 7: "the receiver refused the connection"
        case 28: "the receiver did not answer in time"
        case 35, 51, 53, 54, 58, 59, 60, 64, 77, 83, 91: "the receiver’s TLS or certificate failed (curl \(code))"
        default: "the receiver could not be reached (curl \(code))"
        }
    }
}
