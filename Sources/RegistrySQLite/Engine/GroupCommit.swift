import Foundation
import GRDB
import Registry
import RegistrySQL
import Synchronization

/// Commits the changes of many callers together.
///
/// A change that fails is undone alone, and each caller gets its result after the shared commit is on disk. A single
/// change commits at once. Changes that arrive while a group is being made join it; during a commit, the next group
/// accumulates. If a commit fails, all its members fail, and nothing of the group is stored.
///
/// Nearly every change either succeeds or fails before it has written anything, so at first changes run without
/// savepoints. If a change fails after it has written, the group is rolled back and repeated with a savepoint for each
/// change. Therefore a change may run twice, and must have no effect except on the database.
///
/// A submitted change is completed even if its task is cancelled, so that the result always matches the database.
final class GroupCommit: Sendable {
    struct Limits: Sendable {
        /// The maximum number of waiting changes. More are refused, so that a slow disk cannot exhaust the memory.
        var waiting = 1024
        /// The maximum number of changes that share a commit.
        var members = 256
        /// The maximum duration of a group before it commits; the remaining changes go into the next group. If commits
        /// take longer than this, a group may take as long as a commit.
        var span = Duration.milliseconds(20)
    }

    private let queue: GatheringQueue<Change>

    /// - Parameters:
    ///   - finish: ends each group, in its transaction.
    ///   - observe: called on the writing thread with the outcome of each group, before its members get their results.
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

    /// The number of changes that wait for the next group.
    var waiting: Int { queue.count }

    /// Runs a change and returns its result once it is on disk.
    ///
    /// - Throws: the error of the change; ``DomainError/overloaded`` if too many changes wait; the error of the shared
    ///   commit.
    func perform<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            if !queue.submit(Change(body, continuation)) { continuation.resume(throwing: DomainError.overloaded) }
        }
    }
}

/// A group of changes that share a commit.
private struct Group {
    typealias Outcome = (answers: [Change.Answer], failure: (any Error)?)

    let pool: DatabasePool
    let limits: GroupCommit.Limits
    let pace: CommitPace
    let finish: @Sendable (Database) throws -> Void

    /// Commits as many of the changes as the limits allow; returns the pending results, and the error if nothing is on
    /// disk.
    ///
    /// - Parameters:
    ///   - next: the first change that has not run yet.
    ///   - late: returns the changes that have arrived in the meantime.
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
            // The transaction could not begin, and the next one would fail in the same way.
            if answers.isEmpty {
                answers = changes[next...].map(\.refuse)
                next = changes.count
            }
            return (answers, error)
        }
    }

    /// The changes that have arrived in the meantime. If syncs take long, it waits a moment for the callers that just
    /// got their results. Otherwise they would miss this commit, and the callers would split into halves that
    /// alternate.
    private func company(of members: Int, _ late: () -> [Change]) -> [Change] {
        let changes = late()
        guard changes.isEmpty, members > 1, pace.last >= .milliseconds(2) else { return changes }
        Thread.sleep(forTimeInterval: min(pace.last / 5, .milliseconds(5)) / .seconds(1))
        return late()
    }
}

/// The error of a change that failed after it had written: its writes cannot be undone alone.
private struct FailedAfterWriting: Error {}

/// The duration of the last commit.
private final class CommitPace: Sendable {
    private let state = Mutex((start: ContinuousClock.now, last: Duration.zero))

    var last: Duration { state.withLock(\.last) }

    func begin() { state.withLock { $0.start = .now } }

    func end() { state.withLock { $0.last = ContinuousClock.now - $0.start } }
}

/// One caller's change.
private struct Change: Sendable {
    /// Passes the caller its result, or the error of the commit.
    typealias Answer = @Sendable (_ failure: (any Error)?) -> Void

    /// Runs the change; returns the error if it failed and must be undone.
    let body: @Sendable (Database) -> (failure: (any Error)?, answer: Answer)
    /// Refuses a change that never ran.
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
    /// Runs a change.
    ///
    /// - Throws: ``FailedAfterWriting`` without a savepoint; otherwise if SQLite cannot continue or has rolled back the
    ///   whole transaction, as it does when the disk is full.
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
