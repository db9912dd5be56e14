import Foundation
import GRDB
import RegistryRules
import RegistrySQL
import Synchronization

/// A cache of authenticated tokens: every request needs one, and the result seldom changes.
///
/// Only this process changes the cached data (``DatabaseLock``), and triggers on the writing connection note each token
/// that a change affects, regardless of which operation makes it. The token is dropped after the commit and before the
/// change is confirmed, so that a revoked token never works after its revocation is confirmed. Unknown tokens are not
/// cached, because anyone can send them.
final class TokenCache: Sendable {
    private struct State {
        var credentials: [SecretDigest: Credential] = [:]
        /// Tokens that the current group affects.
        var touched: [SecretDigest] = []
        /// The number of groups that affected any token; what was read before the last one may be out of date.
        var generation = 0
    }

    /// The maximum number of tokens, which take about 4 MB.
    private static let limit = 1 << 15

    private let state = Mutex(State())

    /// The cached credential of a token, nil if there is none; and the number for ``keep(_:of:readIn:)``.
    func credential(of token: SecretDigest) -> (credential: Credential?, generation: Int) {
        state.withLock { ($0.credentials[token], $0.generation) }
    }

    /// Keeps the credential of a token, unless a group has affected any token since it was read.
    ///
    /// - Parameter generation: the number that ``credential(of:)`` returned before the credential was read.
    func keep(_ credential: Credential, of token: SecretDigest, readIn generation: Int) {
        state.withLock { state in
            guard state.generation == generation else { return }
            if state.credentials.count >= Self.limit { state.credentials.removeAll(keepingCapacity: true) }
            state.credentials[token] = credential
        }
    }

    /// Drops the tokens that the group that just ended affected.
    func forgetTouched() {
        state.withLock { state in
            guard !state.touched.isEmpty else { return }
            state.generation += 1
            for token in state.touched { state.credentials[token] = nil }
            state.touched = []
        }
    }

    /// Notes a token that the current group affects.
    private func touch(_ token: SecretDigest) { state.withLock { $0.touched.append(token) } }

    /// Makes the writing connection report every token that it changes or removes; a new token is in no cache. A cached
    /// credential must depend on the table `token` alone; for any other table, triggers must be added.
    func watch(_ db: Database) throws {
        db.add(
            function: DatabaseFunction("token_touched", argumentCount: 1) { [weak self] values in
                if let token = Data.fromDatabaseValue(values[0]).flatMap({ SecretDigest(bytes: Array($0)) }) {
                    self?.touch(token)
                }
                return nil
            }
        )
        for event in ["UPDATE", "DELETE"] {
            try db.execute(
                sql: """
                    CREATE TEMP TRIGGER token_\(event) AFTER \(event) ON main.token
                    BEGIN SELECT token_touched(OLD.digest); END
                    """
            )
        }
    }
}
