import Synchronization

/// Lets few long reads run at a time: the others wait here, not in the pool, so that a connection is always left for the
/// questions that are answered in microseconds, and one for the registry's own long reads.
final class LongReads: Sendable {
    /// The pool has five connections (`Configuration.maximumReaderCount`).
    private static let limit = 3

    private struct State {
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func perform<Result: Sendable>(_ read: @Sendable () async throws -> Result) async throws -> Result {
        await begin()
        defer { end() }
        return try await read()
    }

    private func begin() async {
        await withCheckedContinuation { continuation in
            let begins = state.withLock { state in
                guard state.running >= Self.limit else {
                    state.running += 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if begins { continuation.resume() }
        }
    }

    /// Hands the place on to who waits longest.
    private func end() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.running -= 1
            return nil
        }
        next?.resume()
    }
}
