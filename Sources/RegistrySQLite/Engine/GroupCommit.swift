import Foundation
import GRDB
import Registry
import RegistrySQL
import Synchronization

/// Makes the changes of many callers durable by one commit.
///
/// One that fails undoes only itself, and each caller is answered after the commit that all share is on disk. A lone
/// change commits at once; what comes while a group is made joins it, and while a commit is under way, the next group
/// gathers. A commit that fails fails every member, and nothing of the group is stored.
///
/// Nearly every change either succeeds or is refused before it has written anything, so that none gets a savepoint at
/// first. Where one fails after it has written, the group is rolled back and made again with a savepoint for each. So a
/// change may be made twice, and must have no effect but on the database.
///
/// A change that was handed over is carried through even where its task is cancelled meanwhile: what the caller is told
/// is what happened.
final class GroupCommit: Sendable {
    struct Limits: Sendable {
        /// Changes that may wait; more are refused, so that a slow disk cannot fill the memory.
        var waiting = 1024
        /// Changes that share a commit.
        var members = 256
        /// How long a group may take before it commits; what is left goes into the next one. Where the disk takes
        /// longer than this to commit, a group may take as long as that.
        var span = Duration.milliseconds(20)
    }

    private let queue: GatheringQueue<Change>

    /// - Parameters:
    ///   - finish: ends each group, in its transaction.
    ///   - observe: told on the writing thread how each group ended, before its members are answered.
    init(
        pool: DatabasePool, limits: Limits = Limits(), finish: @escaping @Sendable (Database) throws -> Void = { _ in },
        observe: @escaping @Sendable (_ failure: (any Error)?) -> Void
    ) {
        let pace = CommitPace()
        queue = GatheringQueue(label: "registry.writer", limit: limits.waiting) { changes, late in
            var changes = changes
            var next = 0
            while next < changes.count {
                let group = Group(pool: pool, limits: limits, pace: pace, finish: finish)
                let (answers, failure) = group.commit(&changes, from: &next, late: late)
                observe(failure)
                for answer in answers { answer(failure) }
            }
        }
    }

    /// How many changes wait for the next group.
    var waiting: Int { queue.count }

    /// Returns what the change returned, once it is on disk.
    ///
    /// - Throws: what the change threw; ``DomainError/overloaded`` where too many wait; the error of the shared commit.
    func perform<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            if !queue.submit(Change(body, continuation)) { continuation.resume(throwing: DomainError.overloaded) }
        }
    }
}

/// Makes changes that share a commit.
private struct Group {
    typealias Outcome = (answers: [Change.Answer], failure: (any Error)?)

    let pool: DatabasePool
    let limits: GroupCommit.Limits
    let pace: CommitPace
    let finish: @Sendable (Database) throws -> Void

    /// Commits as many of the changes as the limits allow; returns how to answer each, and why nothing is on disk.
    ///
    /// - Parameters:
    ///   - next: the first that was not made yet.
    ///   - late: brings those that came meanwhile.
    func commit(_ changes: inout [Change], from next: inout Int, late: () -> [Change]) -> Outcome {
        let first = next
        let outcome = commit(&changes, from: &next, late: late, inSavepoints: false)
        guard outcome.failure is FailedAfterWriting else { return outcome }
        next = first
        return commit(&changes, from: &next, late: late, inSavepoints: true)
    }

    private func commit(
        _ changes: inout [Change], from next: inout Int, late: () -> [Change], inSavepoints: Bool
    ) -> Outcome {
        var answers: [Change.Answer] = []
        do {
            try pool.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    let end = ContinuousClock.now + max(limits.span, pace.last)
                    repeat {
                        let change = changes[next]
                        next += 1
                        try db.make(change, &answers, inSavepoint: inSavepoints)
                        if next == changes.count { changes += company(of: answers.count, late) }
                    } while next < changes.count && answers.count < limits.members && ContinuousClock.now < end
                    try finish(db)
                    pace.begin()
                    return .commit
                }
                pace.end()
            }
            return (answers, nil)
        } catch {
            // The transaction did not even begin: the next one would not either.
            if answers.isEmpty {
                answers = changes[next...].map(\.refuse)
                next = changes.count
            }
            return (answers, error)
        }
    }

    /// The changes that came meanwhile. Where a sync takes long, a moment is given to those who were answered last: else
    /// they would miss this commit and come together again for the next one, half of the callers at each.
    private func company(of members: Int, _ late: () -> [Change]) -> [Change] {
        let changes = late()
        guard changes.isEmpty, members > 1, pace.last >= .milliseconds(2) else { return changes }
        Thread.sleep(forTimeInterval: min(pace.last / 5, .milliseconds(5)) / .seconds(1))
        return late()
    }
}

/// A change failed that had already written: what it wrote cannot be undone alone.
private struct FailedAfterWriting: Error {}

/// How long the disk took for the last commit.
private final class CommitPace: Sendable {
    private let state = Mutex((start: ContinuousClock.now, last: Duration.zero))

    var last: Duration { state.withLock(\.last) }

    func begin() { state.withLock { $0.start = .now } }

    func end() { state.withLock { $0.last = ContinuousClock.now - $0.start } }
}

/// One caller's change.
private struct Change: Sendable {
    /// Tells the caller its own result, or why the commit failed.
    typealias Answer = @Sendable (_ failure: (any Error)?) -> Void

    /// Makes the change; tells why it failed and must be undone.
    let body: @Sendable (Database) -> (failure: (any Error)?, answer: Answer)
    /// Answers a caller whose change was never tried.
    let refuse: Answer

    init<Result: Sendable>(
        _ change: @escaping @Sendable (Database) throws -> Result,
        _ continuation: CheckedContinuation<Result, any Error>
    ) {
        body = { db in
            do {
                let result = try change(db)
                return (nil, { continuation.resume(with: $0.map { .failure($0) } ?? .success(result)) })
            } catch {
                return (error, { continuation.resume(throwing: $0 ?? error) })
            }
        }
        refuse = { continuation.resume(throwing: $0 ?? CancellationError()) }
    }
}

extension Database {
    /// Makes a change.
    ///
    /// - Throws: ``FailedAfterWriting`` without a savepoint; else where SQLite cannot go on or has rolled the whole
    ///   transaction back, as it does when the disk is full.
    fileprivate func make(_ change: Change, _ answers: inout [Change.Answer], inSavepoint: Bool) throws {
        if inSavepoint { try run("SAVEPOINT change", []) }
        let rowsBefore = totalChangesCount
        let (failure, answer) = change.body(self)
        answers.append(answer)
        if let failure {
            guard isInsideTransaction else { throw failure }
            guard inSavepoint || totalChangesCount == rowsBefore else { throw FailedAfterWriting() }
            if inSavepoint { try run("ROLLBACK TO change", []) }
        }
        if inSavepoint { try run("RELEASE change", []) }
    }
}
