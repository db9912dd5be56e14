import Synchronization

/// Lets a number of tasks through at a time; the others wait in the order in which they came.
public final class Gate: Sendable {
    private struct State {
        var free: Int
        var waiters: [CheckedContinuation<Void, Never>] = []
        /// Waiters before this place have passed.
        var next = 0
    }

    private let state: Mutex<State>

    public init(width: Int) { state = Mutex(State(free: width)) }

    // Not inlined: what waits keeps the memory of its calls.
    @inline(never)
    public func enter() async {
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

    public func leave() {
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
