import Synchronization

/// The duration of the last commit.
final class CommitPace: Sendable {
    private let state = Mutex((start: ContinuousClock.now, last: Duration.zero))

    var last: Duration { state.withLock(\.last) }

    func begin() { state.withLock { $0.start = .now } }

    func end() { state.withLock { $0.last = ContinuousClock.now - $0.start } }
}
