public import Hummingbird
import HummingbirdCore
public import Logging
public import NIOCore
public import Registry

/// Puts the registry's calls behind HTTP.
public enum RegistryHTTPServer {
    /// All routes, with their middlewares.
    public static func buildRouter(operations: RegistryOperations) -> Router<RegistryContext> {
        let logger = Logger(label: "findmybike-registry")
        return buildRouter(operations, MissingListPublisher(operations: operations, logger: logger))
    }

    static func buildRouter(
        _ operations: RegistryOperations, _ missingList: MissingListPublisher
    ) -> Router<RegistryContext> {
        let router = Router(context: RegistryContext.self, options: .autoGenerateHeadEndpoints)
        let table = RouteTable()
        router.add(middleware: AccessLogMiddleware())
        router.add(middleware: ProblemMiddleware(routes: table))
        router.add(middleware: ParkingMiddleware(waiting: missingList.waiting))
        let authenticated = router.group().add(
            middleware: AuthenticationMiddleware(tokens: TokenLookup(operations: operations)))

        PublicRoutes(operations: operations).add(to: Routes(group: router.group(), table: table))
        let owners = Routes(group: authenticated.group(context: OwnerContext.self), table: table)
        OwnerRoutes(operations: operations).add(to: owners)
        BikeRoutes(operations: operations).add(to: owners)
        OperatorRoutes(operations: operations)
            .add(to: Routes(group: authenticated.group(context: OperatorContext.self), table: table))
        let stations = Routes(group: authenticated.group(context: StationContext.self), table: table)
        StationRoutes(operations: operations).add(to: stations)
        MissingListRoutes(operations: operations, publisher: missingList).add(to: stations)
        return router
    }

    /// Connections that wait to be accepted, as many as Linux allows. All stations come at once when the registry was
    /// away, and one that finds the queue full tries again only after 1, 2, 4 … seconds.
    private static let backlog = 4096

    /// The server on an address; port 0 takes a free one.
    ///
    /// - Parameter onListening: told the real address once connections are accepted.
    public static func buildApplication(
        operations: RegistryOperations,
        host: String,
        port: Int,
        logger: Logger,
        onListening: @escaping @Sendable (SocketAddress) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let missingList = MissingListPublisher(operations: operations, logger: logger)
        return buildApplication(operations, missingList, host: host, port: port, logger: logger, onListening)
    }

    static func buildApplication(
        _ operations: RegistryOperations, _ missingList: MissingListPublisher, host: String, port: Int, logger: Logger,
        _ onListening: @escaping @Sendable (SocketAddress) async -> Void
    ) -> some ApplicationProtocol {
        Application(
            router: buildRouter(operations, missingList),
            server: HTTPServerBuilder { FrugalChannel(responder: $0) },
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), backlog: backlog),
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
