import HTTPClient
import Synchronization

/// Connections for messages that overlap: as many as are ever used at once, kept for the next ones.
final class MailConnections: Sendable {
    private let server: MailServer
    private let idle = Mutex<[MailConnection]>([])

    init(_ server: MailServer) { self.server = server }

    /// Runs a body with a connection of its own.
    func withConnection<Result: Sendable>(
        _ body: @Sendable (MailConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try idle.withLock { $0.popLast() } ?? MailConnection(server)
        defer { idle.withLock { $0.append(connection) } }
        return try await body(connection)
    }
}
