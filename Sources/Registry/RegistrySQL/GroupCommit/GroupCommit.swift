package import RegistryRules
import Synchronization

/// Commits the changes of many callers together.
///
/// A change that fails is undone alone, and each caller gets its result after the shared commit is on disk. A single
/// change commits immediately. Changes that arrive while a group is being made join it; during a commit, the next group
/// accumulates. If a commit fails, all its members fail, and nothing of the group is stored.
///
/// Nearly every change either succeeds or fails before it has written anything, so at first changes run without
/// savepoints. If a change fails after it has written, the group is rolled back and repeated with a savepoint for each
/// change. A group that collides with another transaction is repeated, too. Therefore a change may run several times,
/// and must have no effect except on the database.
///
/// Requests to record visits that follow each other are recorded together, as long as their visits fit into one set.
///
/// A submitted change is completed even if its task is cancelled, so that the result always matches the database.
package final class GroupCommit<EngineTransaction: Transaction>: Sendable {
    private let queue: GatheringQueue<Change<EngineTransaction>>

    /// - Parameters:
    ///   - start: makes a thread commit what waits.
    ///   - finish: ends each group, in its transaction.
    ///   - observe: called on the writing thread with the outcome of each group, before its members get their results.
    package init(
        limits: GroupLimits = GroupLimits(),
        start: @escaping @Sendable (WaitingChanges<EngineTransaction>) -> Void,
        finish: @escaping @Sendable (EngineTransaction) throws -> Void = { _ in },
        observe: @escaping @Sendable (_ failure: (any Error)?, _ news: StoreNews) -> Void
    ) {
        let rules = GroupRules(limits: limits, finish: finish, observe: observe)
        queue = GatheringQueue(limit: limits.waiting) { start(WaitingChanges(queue: $0, rules: rules)) }
    }

    /// The number of changes that wait for the next group.
    package var waiting: Int { queue.count }

    /// Runs a change and returns its result once it is on disk.
    ///
    /// - Throws: the error of the change; ``DomainError/overloaded`` if too many changes wait; the error of the shared
    ///   commit.
    package func perform<Result: Sendable>(
        _ body: @escaping @Sendable (EngineTransaction) throws -> Result
    ) async throws -> Result {
        try await submit { Change(body, $0) }
    }

    /// Records visits. Requests that follow each other in a group are recorded together (``VisitRecording``).
    ///
    /// - Throws: the same as ``perform(_:)``.
    package func record(_ request: RecordRequest) async throws -> [RecordedVisit] {
        try await submit { .record(request, $0) }
    }

    private func submit<Result: Sendable>(
        _ change: (CheckedContinuation<Result, any Error>) -> Change<EngineTransaction>
    ) async throws -> Result {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            if !queue.submit(change(continuation)) { continuation.resume(throwing: DomainError.overloaded) }
        }
    }
}

/// How many changes a ``GroupCommit`` keeps waiting, and how large its groups are.
package struct GroupLimits: Sendable {
    /// The maximum number of waiting changes. More are refused, so that a slow disk cannot exhaust the memory.
    package var waiting: Int
    /// The maximum number of changes that share a commit.
    package var members: Int
    /// The maximum duration of a group before it commits; the remaining changes go into the next group. If commits take
    /// longer than this, a group may take as long as a commit.
    package var span: Duration

    package init(waiting: Int = 1024, members: Int = 256, span: Duration = .milliseconds(20)) {
        self.waiting = waiting
        self.members = members
        self.span = span
    }
}

/// What all groups of a ``GroupCommit`` share.
struct GroupRules<EngineTransaction: Transaction>: Sendable {
    let limits: GroupLimits
    /// Ends each group, in its transaction.
    let finish: @Sendable (EngineTransaction) throws -> Void
    /// Gets the outcome of each group, before its members get their results.
    let observe: @Sendable (_ failure: (any Error)?, _ news: StoreNews) -> Void
    let pace = CommitPace()
}

/// Measures how long commits take.
final class CommitPace: Sendable {
    private let state = Mutex((start: ContinuousClock.now, last: Duration.zero))

    /// The duration of the last commit; zero before the first.
    var last: Duration { state.withLock(\.last) }

    /// Begins to measure: the next call to the database is the commit.
    func begin() { state.withLock { $0.start = .now } }

    /// Ends the measurement: the commit is on disk.
    func end() { state.withLock { $0.last = ContinuousClock.now - $0.start } }
}
