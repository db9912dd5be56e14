import HTTPClient
import Synchronization

/// Connections for requests that overlap: as many as are ever used at once, kept for the next ones.
final class ConnectionPool: Sendable {
    private let configuration: HTTPConfiguration
    private let idle = Mutex<[HTTPConnection]>([])

    init(_ configuration: HTTPConfiguration) { self.configuration = configuration }

    /// Runs a body with a connection of its own.
    func withConnection<Result: Sendable>(
        _ body: @Sendable (HTTPConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try idle.withLock { $0.popLast() } ?? HTTPConnection(configuration)
        defer { idle.withLock { $0.append(connection) } }
        return try await body(connection)
    }
}
