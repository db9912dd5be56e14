import FlyingFox
import FlyingSocks
import Foundation
public import Logging
public import ServiceLifecycle
public import VenueStatus

/// Serves a monitor's status on a Unix socket, or read-only on a port of the loopback interface.
///
/// If the socket cannot be opened, the failure is logged, and the monitor continues to listen.
public struct StatusServer: Service {
    public enum Address: Hashable, Sendable {
        /// A Unix socket; its owner and group may connect (0660).
        case socket(path: String)
        /// A port of 127.0.0.1; 0 selects any free port.
        case loopback(port: UInt16)
    }

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
            try await serve()
        } catch is CancellationError {
            return
        } catch {
            // The end of the program closes the sockets, which is not an error.
            guard !Task.isCancelled, !Task.isShuttingDownGracefully else { return }
            logger.warning("cannot serve the status", metadata: ["at": "\(address)", "reason": "\(error)"])
            // This service ends only with the program.
            try? await gracefulShutdown()
        }
    }

    private func serve() async throws {
        let server: HTTPServer
        switch address {
        case .socket(let path):
            try SocketFile.makeWay(path)
            server = HTTPServer(
                address: .unix(path: path), logger: .disabled,
                handler: StatusRoutes(source, displays: displays, takesAnswers: true))
        case .loopback(let port):
            server = HTTPServer(
                address: try .inet(ip4: "127.0.0.1", port: port), logger: .disabled,
                handler: StatusRoutes(source, displays: displays, takesAnswers: false))
        }
        defer { if case .socket(let path) = address { unlink(path) } }
        try await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await server.run() }
                group.addTask { try await announce(server) }
                try await group.waitForAll()
            }
        }
    }

    private func announce(_ server: HTTPServer) async throws {
        try await server.waitUntilListening()
        if case .socket(let path) = address, chmod(path, 0o660) != 0 { throw SocketFile.Failure(path) }
        logger.info("serving the status", metadata: ["at": "\(address)"])
        guard case .ip4(_, let port) = await server.listeningAddress else { return onListening(nil) }
        onListening(port)
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
