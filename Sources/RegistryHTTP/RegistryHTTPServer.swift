public import Hummingbird
public import Logging
public import NIOCore
public import Registry
import RegistryAPI

/// Puts the registry's calls behind HTTP.
public enum RegistryHTTPServer {
    /// All routes, with their middlewares.
    ///
    /// - Parameter appKey: switches the original app's collections on and guards them.
    public static func buildRouter(
        operations: RegistryOperations, appKey: String? = nil, options: ServerOptions = ServerOptions()
    ) -> Router<RegistryContext> {
        build(operations: operations, appKey: appKey, options: options).router
    }

    /// The router together with the list of what it serves.
    static func build(
        operations: RegistryOperations, appKey: String? = nil, options: ServerOptions = ServerOptions(),
        streams: TrailStreams.Limits = TrailStreams.Limits()
    ) -> (router: Router<RegistryContext>, table: RouteTable) {
        let router = Router(context: RegistryContext.self, options: .autoGenerateHeadEndpoints)
        let table = RouteTable()
        router.add(middleware: AccessLogMiddleware(metrics: options.metrics.requests))
        router.add(middleware: SecurityHeadersMiddleware(isTLS: options.tls != nil))
        router.add(middleware: ProblemMiddleware(routes: table, limiter: options.limiter))
        let open = router.group().add(middleware: AddressLimitMiddleware(limiter: options.limiter))
        let authenticated = router.group().add(middleware: TokenLimitMiddleware(limiter: options.limiter))
            .add(middleware: AuthenticationMiddleware(operations: operations))

        let anyone = Routes(group: open, table: table, access: .anyone)
        PublicRoutes(operations: operations).add(to: anyone)
        if let appKey { AppRoutes(operations: operations, key: appKey).add(to: anyone) }
        let owners = Routes(
            group: authenticated.group(context: OwnerContext.self), table: table, access: .owner(.manage)
        )
        OwnerRoutes(operations: operations).add(to: owners)
        TokenRoutes(operations: operations).add(to: owners)
        ChannelRoutes(operations: operations).add(to: owners)
        BikeRoutes(operations: operations).add(to: owners)
        ReportRoutes(operations: operations).add(to: owners)
        TrailRoutes(operations: operations, streams: TrailStreams(operations: operations, limits: streams))
            .add(to: owners)
        OperatorRoutes(operations: operations)
            .add(to: Routes(group: authenticated.group(context: OperatorContext.self), table: table, access: .operator))
        AuditRoutes(operations: operations)
            .add(to: Routes(group: authenticated.group(context: OperatorContext.self), table: table, access: .operator))
        let missingList = MissingListCache(operations: operations)
        StationRoutes(operations: operations, missingList: missingList, metrics: options.metrics)
            .add(to: Routes(group: authenticated.group(context: StationContext.self), table: table, access: .station))
        let contract = ContractDocument(routes: table, clock: operations.clock)
        anyone.get("/openapi.json", contract.answer)
        return (router, table)
    }

    /// The server on an address; port 0 takes a free one.
    ///
    /// - Parameter onListening: told the real address once connections are accepted.
    public static func buildApplication(
        operations: RegistryOperations,
        appKey: String? = nil,
        host: String,
        port: Int,
        options: ServerOptions = ServerOptions(),
        logger: Logger,
        onListening: @escaping @Sendable (SocketAddress) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        Application(
            router: buildRouter(operations: operations, appKey: appKey, options: options),
            server: server(timeouts: options.timeouts, tls: options.tls),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port), availableConnectionsDelegate: options.connections
            ),
            onServerRunning: { channel in
                if let address = channel.localAddress { await onListening(address) }
            },
            logger: logger
        )
    }
}
