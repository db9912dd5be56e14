import Synchronization

/// Wakes the dispatcher as soon as an alert is queued. Signals that come while nobody waits count as one.
public final class AlertSignal: Sendable {
    private enum State {
        case quiet
        case signalled
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.quiet)

    public init() {}

    public func wake() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard case .waiting(let waiter) = state else {
                state = .signalled
                return nil
            }
            state = .quiet
            return waiter
        }
        waiter?.resume()
    }

    /// Returns at the next signal, or at once where one is pending or the task is cancelled. For one waiter at a time.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if case .quiet = state, !Task.isCancelled {
                        state = .waiting(continuation)
                        return false
                    }
                    if case .signalled = state { state = .quiet }
                    return true
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            resumeWaiter()
        }
    }

    /// Waits for the next signal or the end of a pause, whichever comes first.
    func wait(atMost pause: Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask { try? await sleep(pause) }
            await group.next()
            group.cancelAll()
        }
    }

    private func resumeWaiter() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard case .waiting(let waiter) = state else { return nil }
            state = .quiet
            return waiter
        }
        waiter?.resume()
    }
}
