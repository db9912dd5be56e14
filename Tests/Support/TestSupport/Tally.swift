import Synchronization

/// Counts events of one kind, for tests that wait for them.
public final class Tally: Sendable {
    private struct State {
        var count = 0
        var nextID = 0
        var waiters: [Int: (count: Int, wake: CheckedContinuation<Void, Never>)] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    /// The number of events so far.
    public var count: Int { state.withLock(\.count) }

    public func add() {
        let reached = state.withLock { state in
            state.count += 1
            let reached = state.waiters.filter { $0.value.count <= state.count }
            for id in reached.keys { state.waiters[id] = nil }
            return reached.values.map { $0.wake }
        }
        for wake in reached { wake.resume() }
    }

    /// Returns once there have been this many events.
    ///
    /// - Throws: `CancellationError`.
    public func reach(_ count: Int) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { wake in
                let isOver = state.withLock { state in
                    guard !Task.isCancelled, state.count < count else { return true }
                    state.waiters[id] = (count, wake)
                    return false
                }
                if isOver { wake.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.wake.resume()
        }
        try Task.checkCancellation()
    }

    /// Returns once a condition holds, which only these events can change.
    public func wait(until condition: () async throws -> Bool) async throws {
        while true {
            let seen = count
            if try await condition() { return }
            try await reach(seen + 1)
        }
    }
}
