import RegistryRules
import Synchronization

/// The stations or the partners that are waiting for a list to change: one table, without a task or timer for each of
/// them.
final class WaitingCallers<Caller: Hashable & Sendable>: Sendable {
    /// The reason why a wait ended.
    enum End: Sendable {
        /// The list has changed.
        case changed
        /// The list has not changed, but the time is over or the server stops.
        case unchanged
        /// The caller's token was revoked.
        case revoked
        /// The caller sent another request while it waited.
        case displaced
    }

    private struct Waiter {
        let number: UInt64
        let token: SecretDigest
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<End, Never>
    }

    private struct State {
        var waiters: [Caller: Waiter] = [:]
        var lastNumber: UInt64 = 0
        /// The number of wake-ups so far; it keeps a caller from starting to wait for
        /// a change that has just happened.
        var round: UInt64 = 0
        var isClosed = false
    }

    private let state = Mutex(State())

    /// The current round. Read it before reading the list, and pass it to ``wait(_:token:until:since:)``.
    var round: UInt64 { state.withLock { $0.round } }

    /// The number of callers that wait.
    var count: Int { state.withLock { $0.waiters.count } }

    /// Waits until the list changes or the deadline passes. A caller has only one wait: an earlier one ends.
    ///
    /// - Parameters:
    ///   - token: the digest of the caller's token, for ``revoke(_:)``.
    ///   - round: the ``round`` before the list was read. If it is over, the wait ends immediately.
    func wait(
        _ caller: Caller, token: SecretDigest, until deadline: ContinuousClock.Instant, since round: UInt64
    ) async -> End {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(number: number, token: token, deadline: deadline, continuation: continuation)
                let (end, displaced) = state.withLock { state -> (End?, Waiter?) in
                    guard state.round == round else { return (.changed, nil) }
                    guard !state.isClosed, !Task.isCancelled else { return (.unchanged, nil) }
                    return (nil, state.waiters.updateValue(waiter, forKey: caller))
                }
                displaced?.continuation.resume(returning: .displaced)
                if let end { continuation.resume(returning: end) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters[caller]?.number == number ? state.waiters.removeValue(forKey: caller) : nil
            }
            waiter?.continuation.resume(returning: .unchanged)
        }
    }

    /// Ends all waits because the list has changed.
    func wakeAll() {
        end(as: .changed) { state in
            state.round += 1
            defer { state.waiters.removeAll() }
            return Array(state.waiters.values)
        }
    }

    /// Ends the waits whose deadline has passed.
    func expire(at now: ContinuousClock.Instant) {
        end(as: .unchanged) { state in Self.remove(from: &state) { $0.deadline <= now } }
    }

    /// Ends all waits, and every later one immediately, because the server stops.
    func close() {
        end(as: .unchanged) { state in
            state.isClosed = true
            defer { state.waiters.removeAll() }
            return Array(state.waiters.values)
        }
    }

    /// The tokens of all waiting callers.
    var tokens: [SecretDigest] { state.withLock { $0.waiters.values.map(\.token) } }

    /// Ends the waits with these tokens.
    func revoke(_ tokens: Set<SecretDigest>) {
        guard !tokens.isEmpty else { return }
        end(as: .revoked) { state in Self.remove(from: &state) { tokens.contains($0.token) } }
    }

    /// Removes and returns the waiters whose wait is over.
    private static func remove(from state: inout State, where isOver: (Waiter) -> Bool) -> [Waiter] {
        let over = state.waiters.filter { isOver($0.value) }
        for caller in over.keys { state.waiters[caller] = nil }
        return Array(over.values)
    }

    /// Removes waiters, and resumes them after the lock is released.
    private func end(as end: End, _ take: (inout State) -> [Waiter]) {
        for waiter in state.withLock({ take(&$0) }) { waiter.continuation.resume(returning: end) }
    }
}
