import HTTPTypes
public import Hummingbird
import HummingbirdCore
public import Logging
public import NIOCore
import Passkeys
public import Registry
import RegistryAPI
public import ServiceLifecycle
import WebPages

/// Serves the registry's calls over HTTP.
public enum RegistryHTTPServer {
    /// Everything that is served, with its middlewares. The missing list is not published, so no request can wait.
    ///
    /// - Parameters:
    ///   - appKey: enables the original app's collections and protects them.
    ///   - routes: adds the caller's routes.
    public static func buildResponder(
        operations: RegistryOperations, appKey: String? = nil, options: ServerOptions = ServerOptions(),
        adding routes: (Router<RegistryContext>) -> Void = { _ in }
    ) -> RegistryResponder {
        build(operations: operations, appKey: appKey, options: options, adding: routes).responder
    }

    /// The responder and the table of its routes.
    ///
    /// - Parameter missingList: nil if it does not run, so that no request can wait.
    static func build(
        operations: RegistryOperations, appKey: String? = nil, options: ServerOptions = ServerOptions(),
        streams: TrailStreams.Limits = TrailStreams.Limits(), missingList: MissingListPublisher? = nil,
        adding routes: (Router<RegistryContext>) -> Void = { _ in }
    ) -> (responder: RegistryResponder, table: RouteTable) {
        let router = Router(context: RegistryContext.self, options: .autoGenerateHeadEndpoints)
        let table = RouteTable()
        let answering = Answering(
            log: AccessLog(metrics: options.metrics.requests),
            problems: ProblemMiddleware(routes: table, limiter: options.limiter), isTLS: options.tls != nil)
        router.add(middleware: answering)
        let addressLimits = AddressLimitMiddleware(limiter: options.limiter, publicURL: operations.publicURL)
        let open = router.group().add(middleware: addressLimits).add(middleware: options.bodies)
        let sameOrigin = SameOrigin(origin: operations.relyingParty?.origin)
        let authentication = Authentication(
            operations: operations, limiter: options.limiter, sameOrigin: sameOrigin)
        let owning = AuthenticationMiddleware(authentication: authentication)
        let sharing = ShareMiddleware(limiter: options.limiter)

        let store = operations.store
        let anyone = Routes(group: open, table: table, access: .anyone)
        PublicRoutes(operations: operations, proxies: options.bodies.proxies).add(to: anyone)
        AcknowledgementRoutes(operations: operations).add(to: anyone)
        ChannelLinkRoutes(operations: operations).add(to: anyone)
        let sessions = SessionRoutes(
            operations: operations, store: store, sameOrigin: sameOrigin, limiter: options.limiter)
        sessions.add(to: anyone)
        let map = MapRoutes(
            source: options.tiles, limiter: options.limiter, proxies: options.bodies.proxies, shares: store,
            clock: operations.clock)
        map.addDescription(to: anyone)
        let desk = DeskMiddleware(others: owning)
        let large = LargeResponses(places: options.documents, proxies: options.bodies.proxies, free: options.freeLength)
        let largeTiles = LargeResponses(
            places: options.largeTiles, proxies: options.bodies.proxies, onlyJSON: false, free: options.freeLength)
        let viewers = router.group().add(
            middleware: DeskTilesMiddleware(
                desk: desk, others: OwnerOrShareMiddleware(owners: owning, shares: sharing))
        ).add(middleware: largeTiles)
        map.addTiles(to: Routes(group: viewers, table: table, access: .ownerOrShare))
        if let appKey { AppRoutes(operations: operations, key: appKey).add(to: anyone) }
        let owners = Routes(
            group: router.group().add(middleware: owning).add(middleware: large)
                .add(middleware: options.bodies.rechecking(owning.recheck))
                .group(context: OwnerContext.self),
            table: table, access: .owner(.manage)
        )
        OwnerRoutes(operations: operations, exports: OwnerExportStreams(operations: operations)).add(to: owners)
        TokenRoutes(operations: operations, store: store).add(to: owners)
        sessions.add(to: owners)
        PasskeyRoutes(operations: operations, store: store).add(to: owners)
        ChannelRoutes(operations: operations, store: store).add(to: owners)
        BikeRoutes(operations: operations, store: store).add(to: owners)
        PhotoRoutes(
            operations: operations, store: store, uploads: options.uploads, proxies: options.bodies.proxies,
            recheck: owning.recheck
        ).add(to: owners)
        MemberRoutes(operations: operations, store: store).add(to: owners)
        let files = MadeFiles(places: options.downloads, proxies: options.bodies.proxies)
        ReportRoutes(operations: operations, store: store, files: files).add(to: owners)
        let trails = TrailStreams(operations: operations, limits: streams)
        TrailRoutes(operations: operations, store: store, streams: trails, files: files).add(to: owners)
        ShareRoutes(operations: operations).add(to: owners)
        let conversations = ConversationRoutes(operations: operations, store: store)
        conversations.add(to: owners)
        let finders = Routes(
            group: router.group().add(middleware: FinderProblems()).add(middleware: addressLimits)
                .add(middleware: options.bodies),
            table: table, access: .anyone
        )
        FinderRoutes(operations: operations, proxies: options.bodies.proxies).add(to: finders)
        let checks = CheckRoutes(operations: operations, limiter: options.limiter, proxies: options.bodies.proxies)
        checks.addPages(to: finders)
        checks.addCall(to: anyone)
        let shares = Routes(
            group: router.group().add(middleware: sharing).add(middleware: large).add(middleware: options.bodies)
                .group(context: ShareContext.self), table: table, access: .share
        )
        // Apart from the owners' streams, so that no crowd with a link can displace them.
        let shared = TrailStreams(operations: operations, limits: streams.ofShares)
        SharedSearchRoutes(operations: operations, store: store, streams: shared).add(to: shares)
        let displays = DisplayRoutes(operations: operations, sameOrigin: sameOrigin, limiter: options.limiter)
        let displaying = DisplayMiddleware(limiter: options.limiter, sameOrigin: sameOrigin)
        displays.add(to: anyone)
        displays.add(
            to: Routes(
                group: router.group().add(middleware: displaying).add(middleware: options.bodies)
                    .group(context: DisplayContext.self), table: table, access: .display))
        let operators = Routes(
            group: router.group().add(middleware: desk).add(middleware: large)
                .add(middleware: options.bodies.rechecking(desk.recheck))
                .group(context: OperatorContext.self),
            table: table, access: .operator
        )
        let desks = DeskRoutes(
            operations: operations, store: store, sameOrigin: sameOrigin, limiter: options.limiter)
        desks.add(to: anyone)
        desks.addChallenge(
            to: Routes(
                group: router.group().add(middleware: DeskVisitorMiddleware(authentication: authentication))
                    .add(middleware: options.bodies),
                table: table, access: .anyone))
        desks.add(to: operators)
        let missingList = missingList ?? publisher(operations, Logger(label: "findmybike-registry"))
        OverviewRoutes(operations: operations, store: store, missingList: missingList, map: StationMapCache())
            .add(to: operators)
        OperatorRoutes(operations: operations, store: store).add(to: operators)
        ReviewRoutes(operations: operations, store: store).add(to: operators)
        AuditRoutes(operations: operations, store: store).add(to: operators)
        conversations.add(to: operators)
        displays.add(to: operators)
        let stations = Routes(
            group: router.group().add(middleware: owning).add(middleware: options.bodies)
                .group(context: StationContext.self), table: table, access: .station)
        StationRoutes(operations: operations, store: store, metrics: options.metrics).add(to: stations)
        displays.add(to: stations)
        table.add(Route(method: .get, path: MissingListResponder.path, access: .station))
        let contract = ContractDocument(routes: table, clock: operations.clock)
        anyone.get("/openapi.json", contract.answer)
        SecurityRoutes(contact: options.security, clock: operations.clock).add(to: anyone)
        routes(router)
        let responder = MissingListResponder(
            store: operations.store,
            publisher: missingList, authentication: authentication, answering: answering, large: large)
        let pages = PageResponder(pages: .built, answering: answering)
        return (RegistryResponder(missingList: responder, pages: pages, router: router.buildResponder()), table)
    }

    private static func publisher(_ operations: RegistryOperations, _ logger: Logger) -> MissingListPublisher {
        MissingListPublisher(store: operations.store, clock: operations.clock, logger: logger)
    }

    /// The maximum number of connections waiting to be accepted, the most that Linux allows. All stations connect at
    /// once after an outage of the registry, and a station that finds the queue full retries only after 1, 2, 4 …
    /// seconds.
    private static let backlog = 4096

    /// The server on an address; port 0 selects a free one.
    ///
    /// - Parameter onListening: called with the actual address once connections are accepted.
    public static func buildApplication(
        operations: RegistryOperations,
        appKey: String? = nil,
        host: String,
        port: Int,
        options: ServerOptions = ServerOptions(),
        logger: Logger,
        onListening: @escaping @Sendable (SocketAddress) async -> Void = { _ in }
    ) -> some Service {
        buildApplication(
            operations: operations, appKey: appKey, host: host, port: port, options: options,
            missingList: publisher(operations, logger), logger: logger, onListening: onListening
        )
    }

    static func buildApplication(
        operations: RegistryOperations, appKey: String? = nil, host: String, port: Int,
        options: ServerOptions = ServerOptions(), missingList: MissingListPublisher, logger: Logger,
        onListening: @escaping @Sendable (SocketAddress) async -> Void
    ) -> some Service {
        Application(
            responder: build(operations: operations, appKey: appKey, options: options, missingList: missingList)
                .responder,
            server: server(options, tls: options.tls, logger: logger),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port), backlog: backlog,
                availableConnectionsDelegate: options.connections
            ),
            services: [missingList],
            onServerRunning: { channel in
                // The server closes this channel first when it stops, and then waits for all responses.
                channel.closeFuture.whenComplete { _ in missingList.waiting.close() }
                // The number of connections accepted at a time; NIO's default is four.
                try? await channel.setOption(.maxMessagesPerRead, value: 64).get()
                await VanishedClients.detect(on: channel)
                if let address = channel.localAddress { await onListening(address) }
            },
            logger: logger
        )
    }
}
