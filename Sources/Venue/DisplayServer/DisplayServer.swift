public import Logging
public import OperatingSystem
public import ServiceLifecycle
public import StationStatus
import VenueHTTP
import WebPages

/// Serves displays in the venue's network, so that they work while the registry cannot be reached. If the address cannot be
/// used yet, for example because the network is not up, it is tried again.
public struct DisplayServer: Service {
    /// The wait after an address could not be used, or a server has ended.
    private static let retry = Duration.seconds(10)
    /// The maximum number of connections of a gateway, behind which all screens have one address.
    private static let screens = 64

    private let address: Endpoint
    private let register: DisplayRegister
    private let server: HTTPServer
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let onListening: @Sendable (UInt16) -> Void

    /// - Parameters:
    ///   - names: the names under which the page may be opened, in addition to addresses.
    ///   - pictures: the registry, as a scheme and a host, whose pictures the page may show; nil if it may show none.
    ///   - gateway: the only one that may ask; nil if screens ask themselves, with a cookie.
    ///   - clock: measures the time of connections, and of attempts.
    ///   - now: the time for limits.
    ///   - onListening: called with the port once the server listens; for tests.
    public init(
        _ address: Endpoint, names: [String], pictures: String? = nil, gateway: DisplayGateway? = nil,
        register: DisplayRegister, source: any DisplaySource,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, logger: Logger,
        onListening: @escaping @Sendable (UInt16) -> Void = { _ in }
    ) {
        self.address = address
        self.register = register
        let connections = gateway.map { _ in ConnectionLimits(perAddress: Self.screens) } ?? ConnectionLimits()
        if let gateway { connections.note(gateway.address) }
        let routes = DisplayRoutes(
            register, source, pages: .ofDisplays, names: Set(names.map { $0.lowercased() }), pictures: pictures,
            gateway: gateway, connections: connections, now: now)
        server = HTTPServer(
            connections: connections, clock: clock, admits: { routes.admits($0) },
            respond: { await routes.respond(to: $0, from: $1) })
        self.clock = clock
        self.logger = logger
        self.onListening = onListening
    }

    public func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var hasFailed = false
            while true {
                do {
                    try await serve()
                } catch {
                    try Task.checkCancellation()
                    // One line, not one per attempt.
                    if !hasFailed {
                        logger.warning(
                            "cannot serve displays; trying again", metadata: ["at": "\(address)", "reason": "\(error)"])
                    }
                    hasFailed = true
                    await register.note("\(address): \(error)")
                }
                try await clock.sleep(for: Self.retry)
            }
        }
    }

    /// Serves until the task is cancelled or the listener fails.
    private func serve() async throws {
        let listener = try ServerSocket(at: address)
        logger.info("serving displays", metadata: ["at": "\(address)"])
        await register.note(nil)
        if let port = listener.port { onListening(port) }
        try await server.run(on: listener)
    }
}

extension DisplayServer: CustomStringConvertible {
    /// The service's name in the log.
    public var description: String { "display server at \(address)" }
}

/// A proxy in front of displays that has authenticated its users, such as Home Assistant's ingress. Through it, screens
/// need no code and no cookie; no other address may connect.
public struct DisplayGateway: Sendable {
    let address: NetworkAddress
    /// The monitor's state, for the people who look after the station.
    let status: @Sendable () async -> [StatusTopic]

    public init(_ address: NetworkAddress, status: @escaping @Sendable () async -> [StatusTopic]) {
        self.address = address
        self.status = status
    }
}
