import Monitor
import Synchronization

/// Tracks whether everything that was written has also been reported.
final class Calm: Sendable {
    private let pending = Atomic(false)

    func observe(_ step: OutboxStep) {
        switch step {
        case .recorded: pending.store(true, ordering: .sequentiallyConsistent)
        case .settled: pending.store(false, ordering: .sequentiallyConsistent)
        case .recording, .claimed, .answered: return
        }
    }

    func wait() async {
        while pending.load(ordering: .sequentiallyConsistent) { await Task.yield() }
    }
}
