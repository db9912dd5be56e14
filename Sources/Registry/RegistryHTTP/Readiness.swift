import Logging
import Synchronization

/// Checks whether the store can be used now. It responds in time even if the store does not: a balancer must soon learn
/// that it has to send requests elsewhere.
///
/// At most one check runs at a time. Callers that come meanwhile get its result.
final class Readiness: Sendable {
    enum Outcome: Sendable {
        case ready
        /// The store gave a reason.
        case failed(any Error)
        /// The store has not answered in time.
        case late
    }

    private typealias Waiter = CheckedContinuation<Outcome, Never>

    private struct State {
        var isChecking = false
        /// The callers that wait for the running check, by numbers.
        var waiters: [UInt64: Waiter] = [:]
        /// The number of the next caller.
        var nextNumber: UInt64 = 0
    }

    /// How long a caller waits.
    let patience: Duration
    private let check: @Sendable () async throws -> Void
    private let sleep: @Sendable (Duration) async throws -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - sleep: waits for a time; replaced by tests.
    ///   - check: throws if the store cannot be used.
    init(
        patience: Duration = .seconds(2),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        check: @escaping @Sendable () async throws -> Void
    ) {
        self.patience = patience
        self.sleep = sleep
        self.check = check
    }

    /// Whether the store can be used now, after ``patience`` at most.
    func outcome() async -> Outcome {
        await withCheckedContinuation { waiter in
            let (number, isFirst) = state.withLock { state in
                let isFirst = !state.isChecking
                let number = state.nextNumber
                state.waiters[number] = waiter
                state.isChecking = true
                state.nextNumber &+= 1
                return (number, isFirst)
            }
            // Not a child task: a caller does not wait for the end of a check that takes too long.
            if isFirst { Task { await runCheck() } }
            Task {
                try? await sleep(patience)
                state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(returning: .late)
            }
        }
    }

    /// Runs the check, and gives its result to all that wait.
    private func runCheck() async {
        var outcome = Outcome.ready
        do { try await check() } catch { outcome = .failed(error) }
        let waiters = state.withLock { state in
            defer {
                state.isChecking = false
                state.waiters = [:]
            }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume(returning: outcome) }
    }
}
