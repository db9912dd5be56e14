import HTTPTypes
import HummingbirdCore
import Logging

extension RegistryHTTPServer {
    /// The HTTP server that turns connections into requests: HTTP/1.1, and with TLS also HTTP/2.
    ///
    /// - Parameter tls: nil for a server without TLS.
    static func server(_ options: ServerOptions, tls: TLSFiles?, logger: Logger) -> HTTPServerBuilder {
        // Limits the connections of each client.
        @Sendable func accepted(_ channel: some ServerChildChannel) -> any ServerChildChannel {
            SharedChannel(base: channel, clients: options.clients)
        }
        return HTTPServerBuilder { responder in
            let http = HTTP1Channel(
                responder: responder,
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [ConnectionGuard(options.timeouts, logger: logger)],
                    httpDecoderConfiguration: headerLimits
                )
            )
            guard let tls else { return accepted(http) }
            let http2 = HTTP2Channel(responder: responder, timeouts: options.timeouts, seats: options.streams)
            let negotiated = NegotiatedChannel(http1: http, http2: http2, limit: options.timeouts.header)
            return accepted(TLSServerChannel(base: negotiated, files: tls))
        }
    }

    /// Header limits far above what any client of the registry sends.
    private static let headerLimits = HTTP1Channel.Configuration.DecoderConfiguration(
        maxHeaderFieldSize: HTTPRequest.fieldSizeLimit, maxHeaderListSize: 32 << 10,
        maxHeaderFieldCount: HTTPRequest.fieldLimit
    )
}
