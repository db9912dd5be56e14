import Foundation
import GRDB
import Registry
import RegistrySQL
import Synchronization

/// What the last tokens proved: every call asks, and the answer seldom changes.
///
/// Only this process changes what is kept (``DatabaseLock``), and triggers on the writing connection note each token that
/// a change touches, whatever verb makes it. It is forgotten after the commit and before the change is answered, so
/// that a revoked token never works after its revocation was. Unknown tokens are not kept: anyone can send them.
final class TokenCache<Proof: Sendable>: Sendable {
    private struct State {
        var proofs: [SecretDigest: Proof] = [:]
        /// Tokens that the group under way touches.
        var touched: [SecretDigest] = []
        /// Counts the groups that touched any: what was read before may be old.
        var generation = 0
    }

    /// About 4 MB.
    private static var limit: Int { 1 << 15 }

    private let state = Mutex(State())

    /// The proof as it was kept, or as it is found.
    ///
    /// - Parameter keeps: whether a proof may be kept.
    func proof(
        of token: SecretDigest, keeps: (Proof) -> Bool = { _ in true }, find: () async throws -> Proof?
    ) async throws -> Proof? {
        let (known, generation) = state.withLock { ($0.proofs[token], $0.generation) }
        if let known { return known }
        guard let found = try await find() else { return nil }
        guard keeps(found) else { return found }
        state.withLock { state in
            guard state.generation == generation else { return }
            if state.proofs.count >= Self.limit { state.proofs.removeAll(keepingCapacity: true) }
            state.proofs[token] = found
        }
        return found
    }

    /// Forgets what the group that just ended has touched.
    func forgetTouched() {
        state.withLock { state in
            guard !state.touched.isEmpty else { return }
            state.generation += 1
            for token in state.touched { state.proofs[token] = nil }
            state.touched = []
        }
    }

    private func touch(_ token: SecretDigest) { state.withLock { $0.touched.append(token) } }

    /// Makes the writing connection tell of every token that it changes or removes; a token that comes again is in no
    /// cache. What a token proves must depend on the table `token` alone, or the other table needs triggers, too.
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
