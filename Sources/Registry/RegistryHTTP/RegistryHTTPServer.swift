import HTTPTypes
public import Hummingbird
import HummingbirdCore
package import Logging
package import NIOCore
package import Operations
import Passkeys
import RegistryAPI
import RegistryRules
import RegistrySQL
package import ServiceLifecycle
import WebPages

/// Serves the registry's calls over HTTP.
public enum RegistryHTTPServer {
    /// The server on an address; port 0 selects a free one.
    ///
    /// - Parameters:
    ///   - appKey: enables the original app's collections and protects them; nil for none.
    ///   - onListening: called with the actual address once connections are accepted.
    package static func buildApplication(
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

    /// The same with a given publisher, so that tests can set how often it checks.
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
                channel.closeFuture.whenComplete { _ in missingList.close() }
                // The number of connections accepted at a time; NIO's default is four.
                try? await channel.setOption(.maxMessagesPerRead, value: 64).get()
                await VanishedClients.detect(on: channel)
                if let address = channel.localAddress { await onListening(address) }
            },
            logger: logger
        )
    }

    /// The maximum number of connections waiting to be accepted, the most that Linux allows. All stations connect
    /// simultaneously after an outage of the registry, and a station that finds the queue full retries only after 1, 2,
    /// 4 … seconds.
    private static let backlog = 4096

    /// Everything that is served, with its middlewares. The missing list is not published, so no request can wait.
    ///
    /// - Parameters:
    ///   - appKey: enables the original app's collections and protects them.
    ///   - routes: adds the caller's routes.
    package static func buildResponder(
        operations: RegistryOperations, appKey: String? = nil, options: ServerOptions = ServerOptions(),
        adding routes: (Router<RegistryContext>) -> Void = { _ in }
    ) -> RegistryResponder {
        build(operations: operations, appKey: appKey, options: options, adding: routes).responder
    }

    /// The responder and the table of its calls.
    ///
    /// - Parameter missingList: nil if it does not run, so that no request can wait.
    static func build(
        operations: RegistryOperations, appKey: String? = nil, options: ServerOptions = ServerOptions(),
        streams: TrailStreams.Limits = TrailStreams.Limits(), missingList: MissingListPublisher? = nil,
        adding routes: (Router<RegistryContext>) -> Void = { _ in }
    ) -> (responder: RegistryResponder, table: CallTable) {
        let router = Router(context: RegistryContext.self, options: .autoGenerateHeadEndpoints)
        let table = CallTable()
        let answering = Answering(
            log: AccessLog(metrics: options.metrics.requests),
            problems: ProblemMiddleware(calls: table, limiter: options.limiter), isTLS: options.tls != nil)
        router.add(middleware: answering)
        let authentication = Authentication(
            operations: operations, limiter: options.limiter,
            sameOrigin: SameOriginCheck(origin: operations.relyingParty?.origin))
        let large = LargeResponses(
            places: options.documents, proxies: options.bodies.proxies, free: options.freeLength)
        let groups = CallGroups(
            router: router, table: table, options: options, authentication: authentication, large: large)
        let missingList = missingList ?? publisher(operations, Logger(label: "findmybike-registry"))
        // The calls that come most often are declared first: the router tries the names in this order until one matches.
        StationCalls(operations: operations, store: operations.store, metrics: options.metrics)
            .add(to: groups.stations)
        BikeCalls(operations: operations, store: operations.store).add(to: groups.owners)
        declarePublicCalls(groups, operations, options, appKey: appKey)
        declareOwnersCalls(groups, operations, options, streams)
        declareOperatorsCalls(groups, operations, options, missingList)
        routes(router)
        let responder = MissingListResponder(
            store: operations.store,
            publisher: missingList, authentication: authentication, answering: answering, large: large)
        let pages = PageResponder(pages: .built, answering: answering)
        return (RegistryResponder(missingList: responder, pages: pages, router: router.buildResponder()), table)
    }

    /// The calls of anyone, with a browser or without, and the calls that begin a session.
    private static func declarePublicCalls(
        _ groups: CallGroups, _ operations: RegistryOperations, _ options: ServerOptions, appKey: String?
    ) {
        let (proxies, limiter) = (options.bodies.proxies, options.limiter)
        PublicCalls(operations: operations, proxies: proxies).add(to: groups.anyone)
        StickerCalls(operations: operations).add(to: groups.anyone)
        AboutCalls(operations: operations).add(to: groups.anyone)
        LinkCalls(operations: operations).add(to: groups.anyone)
        let map = MapCalls(
            source: options.tiles, limiter: limiter, proxies: proxies, shares: operations.store, clock: operations.clock
        )
        map.addDescription(to: groups.anyone)
        map.addTiles(to: groups.viewers)
        if let appKey { AppCalls(operations: operations, key: appKey).add(to: groups.anyone) }
        let finders = FinderCalls(operations: operations, proxies: proxies)
        finders.add(to: groups.finders)
        finders.addNews(to: groups.anyone)
        FinderPhotoCalls(operations: operations, store: operations.store, proxies: proxies).add(to: groups.anyone)
        StaffPhotoCalls(operations: operations).add(to: groups.finders)
        let checks = CheckCalls(operations: operations, limiter: limiter, proxies: proxies)
        checks.addPages(to: groups.finders)
        checks.addCall(to: groups.anyone)
        SafetyCalls(operations: operations, proxies: proxies, checks: checks).addPages(to: groups.finders)
        ContractDocument(calls: groups.table, clock: operations.clock).add(to: groups.anyone)
        SecurityCalls(contact: options.security, clock: operations.clock).add(to: groups.anyone)
    }

    /// The calls of owners, and of people with whom they share a search.
    private static func declareOwnersCalls(
        _ groups: CallGroups, _ operations: RegistryOperations, _ options: ServerOptions,
        _ streams: TrailStreams.Limits
    ) {
        let (store, owners, proxies) = (operations.store, groups.owners, options.bodies.proxies)
        OwnerCalls(operations: operations, store: store, exports: OwnerExportStreams(operations: operations))
            .add(to: owners)
        let sessions = SessionCalls(
            operations: operations, store: store, sameOrigin: groups.authentication.sameOrigin,
            limiter: options.limiter)
        sessions.add(to: groups.anyone)
        sessions.add(to: owners)
        ChannelCalls(operations: operations, store: store).add(to: owners)
        let recheck = AuthenticationMiddleware(authentication: groups.authentication).recheck
        PhotoCalls(
            operations: operations, store: store, uploads: options.uploads, proxies: proxies, recheck: recheck
        ).add(to: owners)
        MemberCalls(operations: operations, store: store).add(to: owners)
        StopCalls(operations: operations).add(to: owners)
        let files = MadeFiles(places: options.downloads, proxies: proxies)
        ReportCalls(operations: operations, store: store, files: files).add(to: owners)
        let trails = TrailStreams(operations: operations, limits: streams)
        TrailCalls(operations: operations, store: store, streams: trails, files: files).add(to: owners)
        // Separate from the owners' streams, so that a crowd with a link cannot displace these.
        let shared = TrailStreams(operations: operations, limits: streams.ofShares)
        let shares = ShareCalls(
            operations: operations, store: store, streams: shared, limiter: options.limiter, proxies: proxies)
        shares.add(to: owners)
        shares.add(to: groups.shares)
        shares.addMessages(to: groups.shares)
        ConversationCalls(operations: operations, store: store).add(to: owners)
        FinderPhotoCalls(operations: operations, store: store, proxies: proxies).add(to: owners)
    }

    /// The calls of operators, partners and displays, and stations' calls about displays.
    private static func declareOperatorsCalls(
        _ groups: CallGroups, _ operations: RegistryOperations, _ options: ServerOptions,
        _ missingList: MissingListPublisher
    ) {
        let (store, operators) = (operations.store, groups.operators)
        let (sameOrigin, limiter) = (groups.authentication.sameOrigin, options.limiter)
        let desk = DeskCalls(operations: operations, store: store, sameOrigin: sameOrigin, limiter: limiter)
        desk.add(to: groups.anyone)
        desk.addChallenge(to: groups.deskVisitors)
        desk.add(to: operators)
        OverviewCalls(
            operations: operations, store: store, missingList: missingList, map: AnswerCache(age: .seconds(2))
        )
        .add(to: operators)
        OperatorCalls(operations: operations, store: store).add(to: operators)
        ReviewCalls(operations: operations, store: store).add(to: operators)
        StopCalls(operations: operations).add(to: operators)
        let checks = CheckCalls(operations: operations, limiter: limiter, proxies: options.bodies.proxies)
        SafetyCalls(operations: operations, proxies: options.bodies.proxies, checks: checks).add(to: operators)
        AuditCalls(operations: operations, store: store).add(to: operators)
        ConversationCalls(operations: operations, store: store).add(to: operators)
        FinderPhotoCalls(operations: operations, store: store, proxies: options.bodies.proxies).add(to: operators)
        let partners = PartnerCalls(
            operations: operations, store: store, publisher: missingList, limiter: limiter,
            recheck: AuthenticationMiddleware(authentication: groups.authentication).recheck)
        partners.add(to: operators)
        partners.addAcceptance(to: groups.anyone)
        partners.add(to: groups.partners)
        partners.addNumbers(to: groups.partners)
        let displays = DisplayCalls(operations: operations, sameOrigin: sameOrigin, limiter: limiter)
        displays.add(to: groups.anyone)
        displays.add(to: groups.displays)
        displays.add(to: operators)
        displays.add(to: groups.stations)
    }

    /// What makes the versions of the missing list.
    private static func publisher(_ operations: RegistryOperations, _ logger: Logger) -> MissingListPublisher {
        MissingListPublisher(store: operations.store, clock: operations.clock, logger: logger)
    }
}

/// Responds to all requests: those for the missing list and for the pages by separate responders, all others by the
/// router. A person who follows a wrong address gets a page.
public struct RegistryResponder: HTTPResponder {
    let missingList: MissingListResponder
    let pages: PageResponder
    let router: RouterResponder<RegistryContext>

    public func respond(to request: Request, context: RegistryContext) async throws -> Response {
        if missingList.serves(request) { return try await missingList.respond(to: request, context: context) }
        if pages.serves(request) { return try await pages.respond(to: request, context: context) }
        let response = try await router.respond(to: request, context: context)
        guard pages.isWrongAddress(request, response) else { return response }
        return pages.missing(request, response, context)
    }
}
