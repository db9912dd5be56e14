import PostgreSQL
import RegistryRules
import Synchronization

/// Checks repeatedly that the primary still keeps what it confirms: after a failover it may be a server with other
/// settings, and its operator may change them at any time.
final class DurabilityWatch: Sendable {
    private struct State {
        /// The process of the server that was checked, and when.
        var process: Int32 = 0
        var checked = ContinuousClock.now
    }

    /// How long a check is valid.
    private static let interval = Duration.seconds(10)

    private let server: PostgreSQLServer
    private let state = Mutex(State())

    init(_ server: PostgreSQLServer) { self.server = server }

    /// Checks the server, unless it was checked on this connection recently.
    ///
    /// - Throws: `storageUnavailable` if it could lose what it confirms; ``PostgreSQLError``.
    func check(_ connection: Connection) throws {
        let isFresh = state.withLock {
            $0.process == connection.serverProcess && ContinuousClock.now < $0.checked + Self.interval
        }
        guard !isFresh else { return }
        if let risk = try server.risk(connection) { throw DomainError.storageUnavailable("\(risk)") }
        state.withLock { $0 = State(process: connection.serverProcess, checked: .now) }
    }
}
