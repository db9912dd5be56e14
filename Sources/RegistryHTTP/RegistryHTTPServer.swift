public import Hummingbird
public import Logging
public import NIOCore
public import Registry

/// Puts the registry's calls behind HTTP.
public enum RegistryHTTPServer {
    /// All routes, with their middlewares.
    ///
    /// - Parameter appKey: switches the original app's collections on and guards them.
    public static func buildRouter(
        operations: RegistryOperations, appKey: String? = nil
    ) -> Router<RegistryContext> {
        buildRouter(operations: operations, appKey: appKey, streams: TrailStreams.Limits())
    }

    static func buildRouter(
        operations: RegistryOperations, appKey: String? = nil, streams: TrailStreams.Limits
    ) -> Router<RegistryContext> {
        let router = Router(context: RegistryContext.self, options: .autoGenerateHeadEndpoints)
        let table = RouteTable()
        router.add(middleware: AccessLogMiddleware())
        router.add(middleware: ProblemMiddleware(routes: table))
        let authenticated = router.group().add(middleware: AuthenticationMiddleware(operations: operations))

        let anyone = Routes(group: router.group(), table: table)
        PublicRoutes(operations: operations).add(to: anyone)
        if let appKey { AppRoutes(operations: operations, key: appKey).add(to: anyone) }
        let owners = Routes(group: authenticated.group(context: OwnerContext.self), table: table)
        OwnerRoutes(operations: operations).add(to: owners)
        BikeRoutes(operations: operations).add(to: owners)
        TrailRoutes(operations: operations, streams: TrailStreams(operations: operations, limits: streams))
            .add(to: owners)
        OperatorRoutes(operations: operations)
            .add(to: Routes(group: authenticated.group(context: OperatorContext.self), table: table))
        StationRoutes(operations: operations, missingList: MissingListCache(operations: operations))
            .add(to: Routes(group: authenticated.group(context: StationContext.self), table: table))
        return router
    }

    /// The server on an address; port 0 takes a free one.
    ///
    /// - Parameter onListening: told the real address once connections are accepted.
    public static func buildApplication(
        operations: RegistryOperations,
        appKey: String? = nil,
        host: String,
        port: Int,
        logger: Logger,
        onListening: @escaping @Sendable (SocketAddress) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        Application(
            router: buildRouter(operations: operations, appKey: appKey),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { channel in
                if let address = channel.localAddress { await onListening(address) }
            },
            logger: logger
        )
    }
}
