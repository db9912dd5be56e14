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
/// Requests to record visits that follow each other are recorded together, as long as their visits fit into one set.
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
        try await submit { Change(body, $0) }
    }

    /// Records visits. Requests that follow each other in a group are recorded together (``VisitRecording``).
    ///
    /// - Throws: the same as ``perform(_:)``.
    func record(_ request: RecordRequest) async throws -> [RecordedVisit] {
        try await submit { Change(request, $0) }
    }

    private func submit<Result: Sendable>(
        _ change: (CheckedContinuation<Result, any Error>) -> Change
    ) async throws -> Result {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            if !queue.submit(change(continuation)) { continuation.resume(throwing: DomainError.overloaded) }
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
        let first = next
        var answers: [Change.Answer] = []
        do {
            try pool.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    let end = ContinuousClock.now + max(limits.span, pace.last)
                    repeat {
                        let recordings = inSavepoints ? [] : recordings(in: changes[next...], after: answers.count)
                        if recordings.count > 1 {
                            next += recordings.count
                            answers += try db.record(recordings)
                        } else {
                            let change = changes[next]
                            next += 1
                            try db.make(change, &answers, inSavepoint: inSavepoints)
                        }
                        if next == changes.count { changes += lateArrivals(after: answers.count, late) }
                    } while next < changes.count && answers.count < limits.members && ContinuousClock.now < end
                    try finish(db)
                    pace.begin()
                    return .commit
                }
                pace.end()
            }
            return (answers, nil)
        } catch {
            // If nothing was answered, the transaction could not begin or broke at once, and the next one would too.
            if answers.isEmpty { next = changes.count }
            // Answers are in the order of their changes. A change that broke the transaction may have none yet.
            answers += changes[(first + answers.count)..<next].map(\.refuse)
            return (answers, error)
        }
    }

    /// The first changes if they only record visits: so many that their visits can form one set.
    private func recordings(in changes: ArraySlice<Change>, after members: Int) -> [Recording] {
        var (recordings, visits): ([Recording], Int) = ([], 0)
        for change in changes.prefix(limits.members - members) {
            guard let recording = change.recording else { break }
            visits += recording.request.visits.count
            guard visits <= VisitRecording.setLimit else { break }
            recordings.append(recording)
        }
        return recordings
    }

    /// The changes that have arrived in the meantime. If syncs take long, it waits a moment for the callers that just
    /// got their results. Otherwise they would miss this commit, and the callers would split into halves that
    /// alternate.
    private func lateArrivals(after members: Int, _ late: () -> [Change]) -> [Change] {
        let changes = late()
        guard changes.isEmpty, members > 1, pace.last >= .milliseconds(2) else { return changes }
        Thread.sleep(forTimeInterval: min(pace.last / 5, .milliseconds(5)) / .seconds(1))
        return late()
    }
}

/// The error if a change failed after it had written, or if visits could not be recorded together: the group must be
/// repeated with savepoints.
private struct FailedAfterWriting: Error {}

/// The duration of the last commit.
private final class CommitPace: Sendable {
    private let state = Mutex((start: ContinuousClock.now, last: Duration.zero))

    var last: Duration { state.withLock(\.last) }

    func begin() { state.withLock { $0.start = .now } }

    func end() { state.withLock { $0.last = ContinuousClock.now - $0.start } }
}

/// A request to record visits, and the way to its caller.
private struct Recording: Sendable {
    let request: RecordRequest
    let continuation: CheckedContinuation<[RecordedVisit], any Error>

    func answer(_ result: Result<[RecordedVisit], DomainError>) -> Change.Answer {
        { continuation.resume(with: $0.map { .failure($0) } ?? result.mapError { $0 }) }
    }
}

/// One caller's change.
private struct Change: Sendable {
    /// Passes the caller its result, or the error of the commit.
    typealias Answer = @Sendable (_ failure: (any Error)?) -> Void

    /// Runs the change; returns the error if it failed and must be undone.
    let body: @Sendable (Database) -> (failure: (any Error)?, answer: Answer)
    /// Refuses a change that never ran.
    let refuse: Answer
    /// The request of a change that only records visits; otherwise nil.
    var recording: Recording?

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

    init(_ request: RecordRequest, _ continuation: CheckedContinuation<[RecordedVisit], any Error>) {
        self.init({ try VisitRecording($0).record(request) }, continuation)
        recording = Recording(request: request, continuation: continuation)
    }
}

extension Database {
    /// Records the visits of several requests together.
    ///
    /// - Throws: ``FailedAfterWriting`` if that fails, so that each request is repeated alone; otherwise as
    ///   ``make(_:_:inSavepoint:)``.
    fileprivate func record(_ recordings: [Recording]) throws -> [Change.Answer] {
        do {
            let results = try VisitRecording(self).record(recordings.map(\.request))
            return zip(recordings, results).map { $0.answer($1) }
        } catch {
            guard isInsideTransaction else { throw error }
            throw FailedAfterWriting()
        }
    }

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
