import PostgreSQL
import RegistryRules
import RegistrySQL

/// Looks up tokens. Look-ups that wait at the same time share one statement.
///
/// Unlike with SQLite, there is no cache, because another process may revoke a token.
final class CredentialLookups: Sendable {
    private struct Lookup: Sendable {
        let token: SecretDigest
        let continuation: CheckedContinuation<Credential?, any Error>
    }

    /// The maximum number of waiting look-ups.
    private static let limit = 4096

    private let queue: GatheringQueue<Lookup>

    init(pool: ConnectionPool, texts: StatementTexts) {
        queue = GatheringQueue(limit: Self.limit) { queue in
            Task { await Self.serve(queue, pool, texts) }
        }
    }

    /// The caller whom a token authenticates; nil if there is no such token.
    ///
    /// - Throws: ``DomainError/overloaded`` if too many look-ups wait.
    func credential(token: SecretDigest) async throws -> Credential? {
        try await withCheckedThrowingContinuation { continuation in
            if !queue.submit(Lookup(token: token, continuation: continuation)) {
                continuation.resume(throwing: DomainError.overloaded)
            }
        }
    }

    /// Serves the queue until none waits, with another connection after a loss.
    private static func serve(
        _ queue: GatheringQueue<Lookup>, _ pool: ConnectionPool, _ texts: StatementTexts
    ) async {
        do {
            while try await !pool.use({ answer(queue, on: $0, texts) }) {}
        } catch {
            while let lookups = queue.next() {
                for lookup in lookups { lookup.continuation.resume(throwing: error) }
            }
        }
    }

    /// Runs look-ups until none waits; false if the connection was lost before.
    private static func answer(
        _ queue: GatheringQueue<Lookup>, on connection: Connection, _ texts: StatementTexts
    ) -> Bool {
        while connection.isCurrent {
            guard let lookups = queue.next() else { return true }
            let found = Result {
                // One statement needs no transaction around it.
                try Tokens(PostgreSQLTransaction(connection, texts)).credentials(of: Set(lookups.map(\.token)))
            }
            for lookup in lookups { lookup.continuation.resume(with: found.map { $0[lookup.token] }) }
        }
        return false
    }
}
