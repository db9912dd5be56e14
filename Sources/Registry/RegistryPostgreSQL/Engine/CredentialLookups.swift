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

    private let queue = GatheringQueue<Lookup>(limit: CredentialLookups.limit)
    private let pool: ConnectionPool
    private let texts: StatementTexts

    init(pool: ConnectionPool, texts: StatementTexts) {
        self.pool = pool
        self.texts = texts
    }

    /// The caller whom a token authenticates; nil if there is no such token.
    ///
    /// - Throws: ``DomainError/overloaded`` if too many look-ups wait.
    func credential(token: SecretDigest) async throws -> Credential? {
        try await withCheckedThrowingContinuation { continuation in
            let lookup = Lookup(token: token, continuation: continuation)
            let isAccepted = queue.submit(lookup) { Task { await serve() } }
            if !isAccepted { continuation.resume(throwing: DomainError.overloaded) }
        }
    }

    /// Serves the queue until none waits, with another connection after a loss.
    private func serve() async {
        do {
            while try await !pool.use({ self.answer(on: $0) }) {}
        } catch {
            while let lookups = queue.next() {
                for lookup in lookups { lookup.continuation.resume(throwing: error) }
            }
        }
    }

    /// Runs look-ups until none waits; false if the connection was lost before.
    private func answer(on connection: Connection) -> Bool {
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
