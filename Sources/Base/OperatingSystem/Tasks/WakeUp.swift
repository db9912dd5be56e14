import Synchronization

/// Wakes one waiting task when there is something to do. Calls while no task is waiting count as one.
public final class WakeUp: Sendable {
    private enum State {
        case quiet
        case signalled
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.quiet)

    public init() {}

    /// Wakes the waiting task, or else lets the next ``wait()`` return immediately.
    public func wake() { resume(elseBecome: .signalled) }

    /// Returns at the next call of ``wake()``, immediately if one is pending, or when the task is cancelled. Only one
    /// task may wait at a time.
    public func wait() async {
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
            resume(elseBecome: nil)
        }
    }

    /// Waits for the next call or the end of a pause, whichever comes first. A call at the end of the pause may be
    /// consumed: check for work in either case.
    ///
    /// - Parameter sleep: waits for the pause; tests inject their own.
    public func wait(
        atMost pause: Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask { try? await sleep(pause) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Resumes the waiting task; without one, the state becomes `next`, or stays if that is nil.
    private func resume(elseBecome next: State?) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard case .waiting(let waiter) = state else {
                if let next { state = next }
                return nil
            }
            state = .quiet
            return waiter
        }
        waiter?.resume()
    }
}
