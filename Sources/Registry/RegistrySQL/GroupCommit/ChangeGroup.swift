import Foundation
import RegistryRules
import Synchronization

/// A group of changes that share a transaction and its commit.
///
/// The life of a group, in order:
/// 1. The engine begins a transaction (``CommitEngine/commit(_:)``).
/// 2. The changes run in it, in the order in which they arrived. Requests to record visits that follow each other are
///    recorded together (``VisitRecording``), as long as their visits fit into one set.
/// 3. So do the changes that have arrived in the meantime, as many as the limits allow.
/// 4. The engine makes the last changes of the transaction (``CommitEngine/finish(_:)``).
/// 5. The engine commits it.
/// 6. ``GroupCommit`` passes the transaction's news to the engine (``CommitEngine/note(_:_:)``), and only then answers
///    the callers.
///
/// Nearly every change either succeeds or fails before it has written anything, so at first changes run without
/// savepoints. If a change fails after it has written, the group is rolled back and repeated with a savepoint for each
/// change. A group that collides with another transaction is repeated, too.
struct ChangeGroup<Engine: CommitEngine> {
    typealias Member = Change<Engine.EngineTransaction>
    /// The outcome of the changes: their pending results, the error if nothing is on disk, and the work that they cause
    /// elsewhere.
    typealias Outcome = (answers: [Member.Answer], failure: (any Error)?, news: StoreNews)

    let engine: Engine
    let limits: GroupLimits
    let pace: CommitPace

    /// The maximum number of times that a group is tried if it collides with other transactions.
    private static var attempts: Int { 8 }

    /// Commits as many of the changes as the limits allow.
    ///
    /// - Parameters:
    ///   - changes: the changes that wait; those that arrive in the meantime are added.
    ///   - next: the index of the first change that has not run yet.
    ///   - late: returns the changes that have arrived in the meantime.
    func commitWithRetries(_ changes: inout [Member], from next: inout Int, late: () -> [Member]) -> Outcome {
        let first = next
        var inSavepoints = false
        var attempt = 1
        while true {
            next = first
            let outcome = commitOnce(&changes, from: &next, late: late, inSavepoints: inSavepoints)
            guard let failure = outcome.failure else { return outcome }
            if failure is FailedAfterWriting {
                inSavepoints = true
            } else if attempt < Self.attempts, engine.isCollision(failure) {
                // A random time of up to 10 ms per attempt, so that two groups do not meet again.
                Thread.sleep(forTimeInterval: Double.random(in: 0...0.01) * Double(attempt))
                attempt += 1
            } else {
                return outcome
            }
        }
    }

    /// Tries once to commit the changes: steps 1 to 5 of the group's life. The outcome has the transaction's news, with
    /// what ``CommitEngine/finish(_:)`` adds; ``GroupCommit`` passes them on in step 6. If nothing is on disk, there
    /// are none.
    ///
    /// - Parameter inSavepoints: whether each change gets a savepoint of its own, to which it is rolled back if it fails.
    private func commitOnce(
        _ changes: inout [Member], from next: inout Int, late: () -> [Member], inSavepoints: Bool
    ) -> Outcome {
        let first = next
        var answers: [Member.Answer] = []
        var news = StoreNews()
        do {
            try engine.commit { db in
                db.news = StoreNews()
                let end = ContinuousClock.now + max(limits.span, pace.last)
                repeat {
                    let count = inSavepoints ? 1 : max(1, recordings(in: changes[next...], after: answers.count))
                    next += count
                    try make(changes[next - count..<next], &answers, in: db, inSavepoint: inSavepoints)
                    if next == changes.count { changes += lateArrivals(after: answers.count, late) }
                } while next < changes.count && answers.count < limits.members && ContinuousClock.now < end
                try engine.finish(db)
                news = db.news
                pace.begin()
            }
            pace.end()
            return (answers, nil, news)
        } catch {
            // If there are no results, the transaction could not begin or broke immediately, and the next one would
            // too.
            if answers.isEmpty { next = changes.count }
            // Results are in the order of their changes. A change that broke the transaction may have no result yet.
            answers += changes[(first + answers.count)..<next].map { change -> Member.Answer in
                { change.refuse(with: $0) }
            }
            return (answers, error, StoreNews())
        }
    }

    /// The number of the first changes that only record visits, as long as their visits can form one set.
    private func recordings(in changes: ArraySlice<Member>, after members: Int) -> Int {
        var visits = 0
        return changes.prefix(limits.members - members).prefix { change in
            guard case .visits(let request, _) = change else { return false }
            visits += request.visits.count
            return visits <= VisitRecording.setLimit
        }.count
    }

    /// Makes a change, or records the visits of several changes together.
    ///
    /// - Throws: ``FailedAfterWriting`` if the group must be repeated with savepoints; otherwise if the database cannot
    ///   continue or has rolled back the whole transaction, as SQLite does when the disk is full.
    private func make(
        _ changes: ArraySlice<Member>, _ answers: inout [Member.Answer], in db: Engine.EngineTransaction,
        inSavepoint: Bool
    ) throws {
        if inSavepoint { try db.run("SAVEPOINT change", []) }
        let mark = db.undoMark
        var failure: (any Error)?
        if case .other(let run, _)? = changes.first {
            let outcome = run(db)
            failure = outcome.failure
            answers.append(outcome.answer)
        } else {
            let recordings = changes.compactMap { change in
                if case .visits(let request, let continuation) = change { (request, continuation) } else { nil }
            }
            do {
                // A request whose station is unknown fails before anything is written for it.
                let results = try VisitRecording(db).record(recordings.map(\.0))
                answers += zip(recordings, results).map { recording, result in
                    Member.answer(result.mapError { $0 as any Error }, to: recording.1)
                }
            } catch {
                failure = error
                // Several are recorded again, each alone.
                if recordings.count == 1 { answers.append(Member.answer(.failure(error), to: recordings[0].1)) }
            }
        }
        if let failure {
            guard !db.isLost, !engine.isCollision(failure) else { throw failure }
            guard changes.count == 1, inSavepoint || db.undoMark == mark else { throw FailedAfterWriting() }
            if inSavepoint { try db.run("ROLLBACK TO SAVEPOINT change", []) }
        }
        if inSavepoint { try db.run("RELEASE SAVEPOINT change", []) }
    }

    /// The changes that have arrived in the meantime. If syncs take long, this waits a moment for the callers that just
    /// got their results. Otherwise they would miss this commit, and the callers would split into two halves that take
    /// turns.
    private func lateArrivals(after members: Int, _ late: () -> [Member]) -> [Member] {
        let changes = late()
        guard changes.isEmpty, members > 1, pace.last >= .milliseconds(2) else { return changes }
        let pause = min(pace.last / 5, .milliseconds(5))
        Thread.sleep(forTimeInterval: pause / .seconds(1))
        return late()
    }
}

/// The error if a change failed after it had written, or if visits could not be recorded together: the group must be
/// repeated with savepoints.
private struct FailedAfterWriting: Error {}

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
