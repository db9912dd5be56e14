import Scanning
import Synchronization

/// A running recovery step, in a separate task.
final class Recovery: Sendable {
    private let step: RecoveryStep
    /// Whether it has ended or was abandoned; whichever comes first counts.
    private let isDone: Flag
    private let task: Task<Void, Never>

    /// - Parameters:
    ///   - work: takes the step.
    ///   - report: gets the error, or nil, unless the step was abandoned before.
    init(
        _ step: RecoveryStep, _ work: @escaping @Sendable () async throws -> Void,
        report: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let isDone = Flag()
        self.step = step
        self.isDone = isDone
        task = Task {
            var failure: (any Error)?
            do { try await work() } catch { failure = error }
            if !isDone.isSet.exchange(true, ordering: .relaxed) { report(failure) }
        }
    }

    /// Cancels the step, which still reports its end.
    func cancel() { task.cancel() }

    /// Abandons a step that has not ended, and returns it; nil if it has ended.
    func abandon() -> RecoveryStep? {
        guard !isDone.isSet.exchange(true, ordering: .relaxed) else { return nil }
        task.cancel()
        return step
    }

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }
}
