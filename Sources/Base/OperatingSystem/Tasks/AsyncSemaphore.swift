import Synchronization

/// Limits the number of concurrent tasks; others wait in the order of their arrival.
///
/// Every ``wait()`` must be followed by one ``signal()``. A cancelled task keeps its turn.
public final class AsyncSemaphore: Sendable {
    private struct State {
        /// The number of tasks that may still pass; 0 if any waits.
        var free: Int
        var waiters: [CheckedContinuation<Void, Never>] = []
        /// The index of the next waiter; the waiters before it have passed.
        var next = 0
    }

    private let state: Mutex<State>

    /// - Parameter value: the number of tasks that may pass at the same time, at least 1.
    public init(value: Int) { state = Mutex(State(free: value)) }

    /// Returns when fewer tasks than the limit have passed and not signalled yet.
    public func wait() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiters.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Lets the next task pass.
    public func signal() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.next < state.waiters.count else {
                state.waiters.removeAll()
                state.next = 0
                state.free += 1
                return nil
            }
            defer { state.next += 1 }
            return state.waiters[state.next]
        }
        waiter?.resume()
    }
}
