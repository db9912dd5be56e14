import HTTPClient
import Synchronization

/// Reusable connections for messages sent at the same time: as many as were ever in use at the same time.
final class MailConnections: Sendable {
    private let server: MailServer
    private let idle = Mutex<[MailConnection]>([])

    init(_ server: MailServer) { self.server = server }

    /// Runs the body with a connection that is not shared meanwhile.
    ///
    /// - Throws: an error if no connection can be made, and what the body throws.
    func withConnection<Result: Sendable>(
        _ body: @Sendable (MailConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try idle.withLock { $0.popLast() } ?? MailConnection(server)
        defer { idle.withLock { $0.append(connection) } }
        return try await body(connection)
    }
}
