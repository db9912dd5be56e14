package import RegistryRules

/// Commits the changes of many callers together.
///
/// A change that fails is undone alone, and each caller gets its result after the shared commit is on disk. A single
/// change commits immediately. Changes that arrive while a group is being made join it; during a commit, the next group
/// accumulates. If a commit fails, all its members fail, and nothing of the group is stored.
///
/// A group may be repeated (``ChangeGroup``). Therefore a change may run several times, and must have no effect except
/// on the database.
///
/// A submitted change is completed even if its task is cancelled, so that the result always matches the database.
///
/// A caller's task submits a change and waits. A thread of the engine takes what waits, and answers group by group.
/// What happens in a group is in ``ChangeGroup``.
package final class GroupCommit<EngineTransaction: Transaction>: Sendable {
    private let queue: GatheringQueue<Change<EngineTransaction>>
    private let limits: GroupLimits
    private let pace = CommitPace()
    private let start: @Sendable (GroupCommit) -> Void

    /// - Parameter start: makes a thread of the engine call ``commit(on:while:)``.
    package init(limits: GroupLimits = GroupLimits(), start: @escaping @Sendable (GroupCommit) -> Void) {
        self.limits = limits
        self.start = start
        queue = GatheringQueue(limit: limits.waiting)
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

    /// Queues a request to record visits, and waits until ``commit(on:while:)`` answers it. Requests that follow each other
    /// in a group are recorded together (``VisitRecording``).
    ///
    /// - Throws: the same as ``perform(_:)``.
    package func record(_ request: RecordRequest) async throws -> [RecordedVisit] {
        try await submit { .visits(request, $0) }
    }

    private func submit<Result: Sendable>(
        _ change: (CheckedContinuation<Result, any Error>) -> Change<EngineTransaction>
    ) async throws -> Result {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            // If the engine's thread is idle, this makes it call `commit(on:while:)`, below.
            let isAccepted = queue.submit(change(continuation)) { start(self) }
            if !isAccepted { continuation.resume(throwing: DomainError.overloaded) }
        }
    }

    /// Commits groups until nothing waits, or the engine can no longer be used.
    ///
    /// - Parameter isUsable: called before changes are taken.
    /// - Returns: whether nothing waits; otherwise it must be called again, or ``refuse(with:noting:)``.
    package func commit(
        on engine: some CommitEngine<EngineTransaction>, while isUsable: () -> Bool = { true }
    ) -> Bool {
        while isUsable() {
            guard var changes = queue.next() else { return true }
            var next = 0
            while next < changes.count {
                let group = ChangeGroup(engine: engine, limits: limits, pace: pace)
                let (answers, failure, news) = group.commitWithRetries(&changes, from: &next) { queue.late() }
                // This wakes those who do the work that the group causes, such as the dispatcher of alerts.
                engine.note(failure, news)
                // This wakes the callers' tasks, which wait in `submit`.
                for answer in answers { answer(failure) }
                guard let failure, !isUsable() else { continue }
                // What broke the engine is also the reason for the changes that it can no longer try.
                for change in changes[next...] { change.refuse(with: failure) }
                break
            }
        }
        return false
    }

    /// Refuses everything that waits.
    ///
    /// - Parameter note: called for each group, before its members get the error.
    package func refuse(with error: any Error, noting note: () -> Void) {
        while let changes = queue.next() {
            note()
            for change in changes { change.refuse(with: error) }
        }
    }
}

/// One caller's change, and how the caller gets the result.
enum Change<EngineTransaction: Transaction>: Sendable {
    /// Passes the caller its result, or the error of the commit.
    typealias Answer = @Sendable (_ failure: (any Error)?) -> Void

    /// Visits to record, together with those of the changes beside it.
    case visits(RecordRequest, CheckedContinuation<[RecordedVisit], any Error>)
    /// Any other change: runs it, and returns the error if it failed and must be undone; or refuses it before it ran.
    case other(run: @Sendable (EngineTransaction) -> (failure: (any Error)?, answer: Answer), refuse: Answer)

    init<Value: Sendable>(
        _ change: @escaping @Sendable (EngineTransaction) throws -> Value,
        _ continuation: CheckedContinuation<Value, any Error>
    ) {
        self = .other(
            run: { db in
                do {
                    return (nil, Self.answer(.success(try change(db)), to: continuation))
                } catch {
                    return (error, Self.answer(.failure(error), to: continuation))
                }
            },
            refuse: { continuation.resume(throwing: $0 ?? CancellationError()) })
    }

    /// Refuses a change that never ran.
    func refuse(with error: (any Error)?) {
        switch self {
        case .visits(_, let continuation): continuation.resume(throwing: error ?? CancellationError())
        case .other(_, let refuse): refuse(error)
        }
    }

    /// How a caller gets the result of its change, or the error of the commit.
    static func answer<Value: Sendable>(
        _ result: Result<Value, any Error>, to continuation: CheckedContinuation<Value, any Error>
    ) -> Answer {
        { continuation.resume(with: $0.map { .failure($0) } ?? result) }
    }
}

/// A connection on which groups of changes are committed.
package protocol CommitEngine<EngineTransaction> {
    associatedtype EngineTransaction: Transaction

    /// Runs the body in a transaction, and commits it. If the body or the commit fails, nothing is stored, unless the
    /// error says that the commit is in doubt.
    func commit(_ body: (EngineTransaction) throws -> Void) throws

    /// Ends a group, in its transaction: after this, it is only committed.
    func finish(_ db: EngineTransaction) throws

    /// Whether the transaction failed only because of another one, so that repeating it may succeed.
    func isCollision(_ error: any Error) -> Bool

    /// Gets the outcome of a group, before its members get their results.
    ///
    /// - Parameters:
    ///   - failure: the error if nothing is on disk.
    ///   - news: the work that the group causes elsewhere.
    func note(_ failure: (any Error)?, _ news: StoreNews)
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
