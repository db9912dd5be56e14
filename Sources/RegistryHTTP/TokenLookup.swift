import Registry
import Synchronization

/// Looks tokens up in the store, all that come while a look-up is under way in the next one.
///
/// A read costs a hop between threads and a transaction, whatever it reads: ten thousand stations that come back at once
/// share a few of them. Nothing is remembered, so that a revoked token ends at once.
final class TokenLookup: Sendable {
    private typealias Waiter = (token: SecretDigest, continuation: CheckedContinuation<Principal?, any Error>)

    private struct State {
        var waiters: [Waiter] = []
        var isRunning = false
    }

    private static let batch = 256

    private let operations: RegistryOperations
    private let state = Mutex(State())

    init(operations: RegistryOperations) { self.operations = operations }

    /// Whose token this is; nil for any text that is no principal's.
    func principal(token text: String) async throws -> Principal? {
        guard let token = AccessToken(text)?.digest else { return nil }
        return try await withCheckedThrowingContinuation { continuation in
            let isFirst = state.withLock { state in
                state.waiters.append((token, continuation))
                defer { state.isRunning = true }
                return !state.isRunning
            }
            if isFirst { Task { await self.lookUpAll() } }
        }
    }

    private func lookUpAll() async {
        while let waiters = take() {
            do {
                let principals = try await operations.principals(tokens: waiters.map(\.token))
                for (waiter, principal) in zip(waiters, principals) { waiter.continuation.resume(returning: principal) }
            } catch {
                for waiter in waiters { waiter.continuation.resume(throwing: error) }
            }
        }
    }

    private func take() -> [Waiter]? {
        state.withLock { state in
            guard !state.waiters.isEmpty else {
                state.isRunning = false
                return nil
            }
            let waiters = Array(state.waiters.prefix(Self.batch))
            state.waiters.removeFirst(waiters.count)
            return waiters
        }
    }
}
