import Synchronization

/// Wakes the reporter when there is something to report. Several calls before it wakes count once.
public final class ReportSignal: Sendable {
    private struct State {
        var isSent = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    public init() {}

    public func send() {
        wake { $0.isSent = true }
    }

    /// Returns at the next signal, at once if one is waiting, or when the task is cancelled. One waiter at a time.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // Cancelled before the handler could find a waiter.
                    guard !state.isSent, !Task.isCancelled else {
                        state.isSent = false
                        return true
                    }
                    state.waiter = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            wake { _ in }
        }
    }

    /// Returns at the next signal or after a time. A signal that comes with the end of the time may be used up: look for
    /// what is due either way.
    func wait(atMost timeout: Duration, by clock: any Clock<Duration>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask { try await clock.sleep(for: timeout) }
            try await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
    }

    /// Resumes who waits, or else notes it for whoever comes.
    private func wake(_ note: (inout State) -> Void) {
        let waiter = state.withLock { state in
            guard let waiter = state.waiter.take() else {
                note(&state)
                return nil as CheckedContinuation<Void, Never>?
            }
            return waiter
        }
        waiter?.resume()
    }
}
