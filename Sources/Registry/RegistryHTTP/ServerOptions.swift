public import MapTiles

/// The options of the server's network side.
public struct ServerOptions: Sendable {
    public let timeouts: ConnectionTimeouts
    /// The certificate, if the server itself uses TLS.
    public let tls: TLSFiles?
    /// What the server counts.
    public let metrics: RegistryMetrics
    /// The source of the tiles of maps; nil if there are none.
    public var tiles: (any TileSource)?
    let security: SecurityContact?
    let limiter: RateLimiter
    /// Counts all connections.
    let connections: ConnectionGauge
    /// Counts the connections of each client.
    let clients: ClientConnections
    /// Counts the streams of HTTP/2.
    let streams: StreamSeats
    /// Reads bodies; each call has its own limit.
    let bodies: BodyMiddleware
    /// For photos that arrive.
    var uploads = TransferPlaces(3)
    /// For evidence packs and trails as files, of up to some megabytes.
    var downloads = TransferPlaces(4)
    /// The length of a response that is not large, in bytes.
    var freeLength = 64 << 10
    /// For large responses of JSON, of up to some hundred kilobytes.
    var documents = TransferPlaces(64, share: 8)
    /// For large tiles; a map requests many at a time.
    var largeTiles = TransferPlaces(128, share: 64)

    /// - Parameters:
    ///   - limits: rate limits; none by default.
    ///   - proxies: those that state their clients' addresses; none by default.
    ///   - maximumConnections: connections, and also streams of HTTP/2, at a time.
    ///   - connectionsPerClient: the same of one client; an IPv6 client is its /64; the trusted proxies’ connections
    ///     are not counted.
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
        streams = StreamSeats(maximum: maximumConnections, perClient: connectionsPerClient, proxies: proxies)
        bodies = BodyMiddleware(budget: BodyBudget(), proxies: proxies)
        let connections = ConnectionGauge(maximum: maximumConnections)
        self.connections = connections
        metrics = RegistryMetrics(openConnections: { connections.count }, tls: tls)
    }
}
