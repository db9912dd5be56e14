import FlyingSocks
import Foundation
public import Logging
public import OperatingSystem
public import ServiceLifecycle
public import VenueStatus
import WebPages

/// Serves displays in the venue's network, so that they work while the registry cannot be reached.
///
/// Guests may be in this network, too: a connection has one request, some seconds, and bounds on everything. If the
/// address cannot be used yet, for example because the network is not up, it is tried again.
public struct DisplayServer: Service {
    /// How long a connection may take: more than a slow phone needs.
    static let patience = Duration.seconds(10)
    private static let retry = Duration.seconds(10)
    /// The maximum number of connections of a gateway, behind which all screens have one address.
    private static let screens = 64

    private let address: Endpoint
    private let routes: DisplayRoutes
    private let connections: ConnectionLimits
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
        connections = gateway.map { _ in ConnectionLimits(perAddress: Self.screens) } ?? ConnectionLimits()
        routes = DisplayRoutes(
            register, source, pages: .ofDisplays, names: Set(names.map { $0.lowercased() }), pictures: pictures,
            gateway: gateway, connections: connections, now: now)
        if let gateway { connections.note(gateway.address) }
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
                    // The end of the program closes the sockets, which is no fault.
                    try Task.checkCancellation()
                    // One line, not one per attempt.
                    if !hasFailed {
                        logger.warning(
                            "cannot serve displays; trying again", metadata: ["at": "\(address)", "reason": "\(error)"])
                    }
                    hasFailed = true
                    await routes.register.note("\(address): \(error)")
                }
                try await clock.sleep(for: Self.retry)
            }
        }
    }

    private func serve() async throws {
        let listener = try listen()
        defer { try? listener.close() }
        let pool = SocketPool.make(maxEvents: 20)
        try await pool.prepare()
        let socket = try AsyncSocket(socket: listener, pool: pool)
        logger.info("serving displays", metadata: ["at": "\(address)"])
        await routes.register.note(nil)
        switch try listener.sockname() {
        case .ip4(_, let port), .ip6(_, let port): onListening(port)
        case .unix: break
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run() }
            group.addTask { try await accept(socket) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func listen() throws -> Socket {
        let socket: Socket
        if address.address.v4 != nil {
            socket = try Socket(domain: AF_INET)
            try socket.setValue(true, for: .localAddressReuse)
            try socket.bind(to: .inet(ip4: "\(address.address)", port: address.port))
        } else {
            socket = try Socket(domain: AF_INET6)
            try socket.setValue(true, for: .localAddressReuse)
            try socket.bind(to: .inet6(ip6: "\(address.address)", port: address.port))
        }
        Self.keepFromPrograms(socket)
        try socket.listen(maxPendingConnection: 64)
        return socket
    }

    /// An alarm's program must not inherit a connection.
    private static func keepFromPrograms(_ socket: Socket) { _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC) }

    private func accept(_ listener: AsyncSocket) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let socket: AsyncSocket
                do {
                    socket = try await listener.accept()
                } catch is CancellationError {
                    throw CancellationError()
                } catch {
                    // The peer may be gone already, or there are too many open files.
                    try await clock.sleep(for: .milliseconds(100))
                    continue
                }
                Self.keepFromPrograms(socket.socket)
                let descriptor = socket.socket.file.rawValue
                // The descriptor is open until the release: its reader then finds the end of the connection.
                guard let peer = Self.peer(of: socket), routes.admits(peer),
                    let id = connections.admit(peer, end: { _ = shutdown(descriptor, Int32(SHUT_RDWR)) })
                else {
                    try? socket.close()
                    continue
                }
                group.addTask {
                    await self.answer(socket, from: peer)
                    connections.release(id)
                    try? socket.close()
                }
            }
        }
    }

    private static func peer(of socket: AsyncSocket) -> NetworkAddress? {
        switch try? socket.socket.remotePeer() {
        case .ip4(let text, _)?: NetworkAddress(text)
        case .ip6(let text, _)?: NetworkAddress(text.prefix { $0 != "%" })
        default: nil
        }
    }

    /// Answers the one request of a connection, unless it takes too long.
    private func answer(_ socket: AsyncSocket, from peer: NetworkAddress) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await exchange(socket, peer) }
            group.addTask { try? await clock.sleep(for: Self.patience) }
            await group.next()
            group.cancelAll()
        }
    }

    private func exchange(_ socket: AsyncSocket, _ peer: NetworkAddress) async throws {
        var reader = RequestReader()
        var response: DisplayResponse
        var isHead = false
        do throws(RequestReader.Refusal) {
            var request: DisplayRequest?
            while request == nil {
                guard let bytes = try? await socket.read(atMost: 4096) else { return }
                request = try reader.read(bytes)
            }
            guard let request else { return }
            isHead = request.method == "HEAD"
            response = await routes.respond(to: request, from: peer)
        } catch {
            response = .problem(error.status, "The request cannot be read.")
        }
        try await socket.write(response.bytes(isHead: isHead))
        // The peer reads the response before the connection is closed, even if it has sent more than was read.
        _ = shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
    }
}

extension DisplayServer: CustomStringConvertible {
    /// The service's name in the log.
    public var description: String { "display server at \(address)" }
}
