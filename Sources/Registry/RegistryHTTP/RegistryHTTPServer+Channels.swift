import Glibc
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore

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

/// Finds clients that disappeared without closing their connection, such as a station that lost power. While it waited
/// for the missing list, it would keep its place for up to 15 minutes otherwise.
enum VanishedClients {
    /// Seconds without a packet before the first probe, seconds between probes, and the number of probes (tcp(7)). The
    /// kernel closes a connection after two minutes of silence.
    private static let options = [(TCP_KEEPIDLE, 60), (TCP_KEEPINTVL, 15), (TCP_KEEPCNT, 4)]

    /// Sets TCP keep-alive on a listening socket; accepted connections inherit it. Options that the system refuses are
    /// skipped.
    static func detect(on listener: any Channel) async {
        try? await listener.setOption(.socketOption(.so_keepalive), value: 1).get()
        for (option, value) in options {
            try? await listener.setOption(.tcpOption(.init(rawValue: option)), value: value).get()
        }
    }
}
