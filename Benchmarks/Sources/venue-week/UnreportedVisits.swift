import Monitor
import Synchronization

/// Knows whether visits are recorded that the monitor has not reported yet.
final class UnreportedVisits: Sendable {
    private let exist = Atomic(false)

    /// Follows the outbox.
    func observe(_ step: OutboxStep) {
        switch step {
        case .recorded: exist.store(true, ordering: .sequentiallyConsistent)
        case .settled: exist.store(false, ordering: .sequentiallyConsistent)
        case .recording, .claimed, .answered: return
        }
    }

    func waitUntilNone() async {
        while exist.load(ordering: .sequentiallyConsistent) { await Task.yield() }
    }
}
