import Scanning
import Synchronization

/// A running recovery step, in a separate task.
final class Recovery: Sendable {
    private let step: RecoveryStep
    private let isDone: Flag
    private let task: Task<Void, Never>

    /// - Parameter work: takes the step and reports its outcome.
    init(_ step: RecoveryStep, _ work: @escaping @Sendable () async -> Void) {
        let isDone = Flag()
        self.step = step
        self.isDone = isDone
        task = Task {
            await work()
            isDone.isSet.store(true, ordering: .relaxed)
        }
    }

    func cancel() { task.cancel() }

    /// Abandons a step that has not ended, and returns it; nil if it has ended.
    func abandon() -> RecoveryStep? {
        guard !isDone.isSet.load(ordering: .relaxed) else { return nil }
        task.cancel()
        return step
    }

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }
}
