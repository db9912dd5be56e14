public import Hummingbird
import HummingbirdCore
public import Logging
public import NIOCore
public import Registry
import RegistryAPI
public import ServiceLifecycle

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
    ///
    /// - Parameter missingList: nil where it does not run, so that no question can wait.
    static func build(
        operations: RegistryOperations, appKey: String? = nil, options: ServerOptions = ServerOptions(),
        streams: TrailStreams.Limits = TrailStreams.Limits(), missingList: MissingListPublisher? = nil
    ) -> (router: Router<RegistryContext>, table: RouteTable) {
        let missingList =
            missingList ?? MissingListPublisher(operations: operations, logger: Logger(label: "findmybike-registry"))
        let router = Router(context: RegistryContext.self, options: .autoGenerateHeadEndpoints)
        let table = RouteTable()
        router.add(middleware: AccessLogMiddleware(metrics: options.metrics.requests))
        router.add(middleware: SecurityHeadersMiddleware(isTLS: options.tls != nil))
        router.add(middleware: ProblemMiddleware(routes: table, limiter: options.limiter))
        let open = router.group().add(middleware: AddressLimitMiddleware(limiter: options.limiter))
            .add(middleware: options.bodies)
        let authenticated = router.group().add(middleware: TokenLimitMiddleware(limiter: options.limiter))
            .add(middleware: AuthenticationMiddleware(operations: operations)).add(middleware: options.bodies)

        let anyone = Routes(group: open, table: table, access: .anyone)
        PublicRoutes(operations: operations, proxies: options.bodies.proxies).add(to: anyone)
        AcknowledgementRoutes(operations: operations).add(to: anyone)
        ChannelLinkRoutes(operations: operations).add(to: anyone)
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
        ReviewRoutes(operations: operations)
            .add(to: Routes(group: authenticated.group(context: OperatorContext.self), table: table, access: .operator))
        AuditRoutes(operations: operations)
            .add(to: Routes(group: authenticated.group(context: OperatorContext.self), table: table, access: .operator))
        let stations = Routes(group: authenticated.group(context: StationContext.self), table: table, access: .station)
        StationRoutes(operations: operations, metrics: options.metrics).add(to: stations)
        MissingListRoutes(operations: operations, publisher: missingList).add(to: stations)
        let contract = ContractDocument(routes: table, clock: operations.clock)
        anyone.get("/openapi.json", contract.answer)
        SecurityRoutes(contact: options.security, clock: operations.clock).add(to: anyone)
        return (router, table)
    }

    /// Connections that wait to be accepted, as many as Linux allows. All stations come at once when the registry was
    /// away, and one that finds the queue full tries again only after 1, 2, 4 … seconds.
    private static let backlog = 4096

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
    ) -> some Service {
        let missingList = MissingListPublisher(operations: operations, logger: logger)
        return buildApplication(
            operations: operations, appKey: appKey, host: host, port: port, options: options, missingList: missingList,
            logger: logger, onListening: onListening
        )
    }

    static func buildApplication(
        operations: RegistryOperations, appKey: String? = nil, host: String, port: Int,
        options: ServerOptions = ServerOptions(), missingList: MissingListPublisher, logger: Logger,
        onListening: @escaping @Sendable (SocketAddress) async -> Void
    ) -> some Service {
        let router = build(operations: operations, appKey: appKey, options: options, missingList: missingList).router
        return RegistryServer(
            responder: WaitingResponder(router.buildResponder(), waiting: missingList.waiting),
            builder: server(options, tls: options.tls),
            configuration: ServerConfiguration(
                address: .hostname(host, port: port), backlog: backlog,
                availableConnectionsDelegate: options.connections
            ),
            services: [missingList],
            onServerRunning: { channel in
                // The server closes this channel first when it stops, and then waits for all answers.
                channel.closeFuture.whenComplete { _ in missingList.waiting.close() }
                // How many connections are accepted at a time; NIO takes four.
                try? await channel.setOption(.maxMessagesPerRead, value: 64).get()
                if let address = channel.localAddress { await onListening(address) }
            },
            logger: logger
        )
    }
}
