import Foundation
public import Logging
import OperatingSystem
public import ServiceLifecycle
public import StationStatus
import VenueHTTP

/// Serves a monitor's status on a Unix socket, or read-only on a port of the loopback interface.
///
/// If the socket cannot be opened, the failure is logged, and the monitor continues to listen.
public struct StatusServer: Service {
    /// Where callers reach the server.
    public enum Address: Hashable, Sendable {
        /// A Unix socket; its owner and group may connect (0660).
        case socket(path: String)
        /// A port of 127.0.0.1; 0 selects any free port.
        case loopback(port: UInt16)
    }

    /// The maximum number of connections, all of which come from this machine.
    private static let maximumConnections = 64

    private let address: Address
    private let source: any StatusSource
    private let displays: (any DisplayDesk)?
    private let logger: Logger
    private let onListening: @Sendable (UInt16?) -> Void

    /// - Parameters:
    ///   - displays: the displays that the monitor serves; nil if it serves none.
    ///   - onListening: called once the server listens, with its port if it has one; for tests.
    public init(
        _ address: Address, source: any StatusSource, displays: (any DisplayDesk)? = nil, logger: Logger,
        onListening: @escaping @Sendable (UInt16?) -> Void = { _ in }
    ) {
        self.address = address
        self.source = source
        self.displays = displays
        self.logger = logger
        self.onListening = onListening
    }

    public func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await serve() }
        } catch is CancellationError {
            return
        } catch {
            logger.warning("cannot serve the status", metadata: ["at": "\(address)", "reason": "\(error)"])
            // This service ends only with the program.
            try? await gracefulShutdown()
        }
    }

    /// Serves until the task is cancelled.
    private func serve() async throws {
        switch address {
        case .socket(let path):
            try SocketFile.makeWay(path)
            let listener = try ServerSocket(path: path, mode: 0o660)
            defer { unlink(path) }
            try await serve(on: listener, takesAnswers: true)
        case .loopback(let port):
            let listener = try ServerSocket(at: Endpoint(.loopback, port: port))
            try await serve(on: listener, takesAnswers: false)
        }
    }

    /// - Parameter takesAnswers: whether callers may also change something, such as answer an alarm. Any program of this
    ///   machine can reach a port, so only a socket takes answers.
    private func serve(on listener: ServerSocket, takesAnswers: Bool) async throws {
        let routes = StatusRoutes(source, displays: displays, takesAnswers: takesAnswers)
        let connections = ConnectionLimits(perAddress: Self.maximumConnections)
        connections.note(.loopback)
        let server = HTTPServer(connections: connections, respond: { request, _ in await routes.respond(to: request) })
        logger.info("serving the status", metadata: ["at": "\(address)"])
        onListening(listener.port)
        try await server.run(on: listener)
    }
}

extension StatusServer.Address: CustomStringConvertible {
    public var description: String {
        switch self {
        case .socket(let path): path
        case .loopback(let port): "127.0.0.1:\(port)"
        }
    }
}

extension StatusServer: CustomStringConvertible {
    /// The service's name in the log.
    public var description: String { "status server at \(address)" }
}
