import HummingbirdCore
import Logging
import NIOCore
import NIOTLS

/// HTTP/2 or HTTP/1.1 over TLS, as agreed in the handshake (ALPN, RFC 7301).
struct NegotiatedChannel: ServerChildChannel {
    enum Version: Sendable {
        case http1(HTTP1Channel.Value)
        case http2(HTTP2Channel.Value)
    }

    struct Value: ServerChildChannelValue {
        let version: EventLoopFuture<Version>
        let channel: any Channel
    }

    /// The names of the protocols, the preferred first.
    static let protocols = [http2Name, http1Name]
    private static let http2Name = "h2"
    private static let http1Name = "http/1.1"

    let http1: HTTP1Channel
    let http2: HTTP2Channel
    /// The time for the handshake.
    let limit: Duration

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Version> { result, channel in
                switch result {
                case .negotiated(Self.http2Name): http2.setup(channel: channel, logger: logger).map { .http2($0) }
                // A client that names protocols, but neither of these, gets no common protocol from the handshake.
                case .negotiated, .fallback: http1.setup(channel: channel, logger: logger).map { .http1($0) }
                }
            }
            try channel.pipeline.syncOperations.addHandler(ConnectionStart(limit: limit))
            try channel.pipeline.syncOperations.addHandler(negotiation)
            return Value(version: negotiation.protocolNegotiationResult, channel: channel)
        }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.version.get() {
            case .http1(let value): await http1.handle(value: value, logger: logger)
            case .http2(let value): await http2.handle(value: value, logger: logger)
            }
        } catch {
            logger.debug("no HTTP after the TLS handshake", metadata: ["error": "\(error)"])
        }
    }
}
