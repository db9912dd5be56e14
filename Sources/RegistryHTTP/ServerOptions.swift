import HummingbirdCore
import Logging

/// The options of the server's network side.
public struct ServerOptions: Sendable {
    public let timeouts: ConnectionTimeouts
    /// The certificate, if the server itself uses TLS.
    public let tls: TLSFiles?
    public let metrics: RegistryMetrics
    let security: SecurityContact?
    let limiter: RateLimiter
    let connections: ConnectionGauge
    let clients: ClientConnections
    let bodies: BodyMiddleware

    /// - Parameters:
    ///   - limits: rate limits; none by default.
    ///   - connectionsPerClient: an IPv6 client is its /64; the trusted proxies’ connections are not counted.
    ///   - now: nanoseconds of a monotonic clock, for the limits.
    public init(
        limits: RateLimits = RateLimits(), proxies: TrustedProxies = TrustedProxies(),
        timeouts: ConnectionTimeouts = ConnectionTimeouts(), maximumConnections: Int = 20_000,
        connectionsPerClient: Int = .max, tls: TLSFiles? = nil, security: SecurityContact? = nil,
        now: (@Sendable () -> Int64)? = nil
    ) {
        self.timeouts = timeouts
        self.tls = tls
        self.security = security
        let start = ContinuousClock.now
        limiter = RateLimiter(limits, proxies: proxies, now: now ?? { (ContinuousClock.now - start).nanoseconds })
        clients = ClientConnections(maximum: connectionsPerClient, proxies: proxies)
        bodies = BodyMiddleware(budget: BodyBudget(), proxies: proxies)
        let connections = ConnectionGauge(maximum: maximumConnections)
        self.connections = connections
        metrics = RegistryMetrics(openConnections: { connections.count }, tls: tls)
    }
}

extension RegistryHTTPServer {
    /// Header limits far above what any client of the registry sends.
    private static let headerLimits = HTTP1Channel.Configuration.DecoderConfiguration(
        maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100
    )

    /// The HTTP server that turns connections into requests.
    static func server(_ options: ServerOptions, tls: TLSFiles?, logger: Logger) -> HTTPServerBuilder {
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
            return accepted(TLSServerChannel(base: http, files: tls))
        }
    }
}
