import Foundation
import RegistryRules

/// A group of changes that share a commit.
struct Group<Engine: CommitEngine> {
    typealias Member = Change<Engine.EngineTransaction>
    /// The outcome of the changes: their pending results, the error if nothing is on disk, and the work that they cause
    /// elsewhere.
    typealias Outcome = (answers: [Member.Answer], failure: (any Error)?, news: StoreNews)

    let engine: Engine
    let rules: GroupRules<Engine.EngineTransaction>

    /// The maximum number of times that a group is tried if it collides with other transactions.
    private static var attempts: Int { 8 }

    /// Commits as many of the changes as the limits allow.
    ///
    /// - Parameters:
    ///   - next: the first change that has not run yet.
    ///   - late: returns the changes that have arrived in the meantime.
    func commit(_ changes: inout [Member], from next: inout Int, late: () -> [Member]) -> Outcome {
        let first = next
        var (inSavepoints, attempt) = (false, 1)
        while true {
            next = first
            let outcome = commit(&changes, from: &next, late: late, inSavepoints: inSavepoints)
            guard let failure = outcome.failure else { return outcome }
            if failure is FailedAfterWriting {
                inSavepoints = true
            } else if attempt < Self.attempts, engine.isCollision(failure) {
                // A random time, so that two groups do not meet again.
                Thread.sleep(forTimeInterval: Double.random(in: 0...0.01) * Double(attempt))
                attempt += 1
            } else {
                return outcome
            }
        }
    }

    private func commit(
        _ changes: inout [Member], from next: inout Int, late: () -> [Member], inSavepoints: Bool
    ) -> Outcome {
        let first = next
        var (answers, news): ([Member.Answer], StoreNews) = ([], StoreNews())
        do {
            try engine.commit { db in
                db.news = StoreNews()
                let end = ContinuousClock.now + max(rules.limits.span, rules.pace.last)
                repeat {
                    let count = inSavepoints ? 0 : recordings(in: changes[next...], after: answers.count)
                    if count > 1 {
                        next += count
                        answers += try record(changes[next - count..<next], in: db)
                    } else {
                        let change = changes[next]
                        next += 1
                        try make(change, &answers, in: db, inSavepoint: inSavepoints)
                    }
                    if next == changes.count { changes += lateArrivals(after: answers.count, late) }
                } while next < changes.count && answers.count < rules.limits.members && ContinuousClock.now < end
                try rules.finish(db)
                news = db.news
                rules.pace.begin()
            }
            rules.pace.end()
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
        return changes.prefix(rules.limits.members - members).prefix { change in
            guard case .record(let request, _) = change else { return false }
            visits += request.visits.count
            return visits <= VisitRecording.setLimit
        }.count
    }

    /// The changes that have arrived in the meantime. If syncs take long, this waits a moment for the callers that just
    /// got their results. Otherwise they would miss this commit, and the callers would split into two halves that take
    /// turns.
    private func lateArrivals(after members: Int, _ late: () -> [Member]) -> [Member] {
        let changes = late()
        guard changes.isEmpty, members > 1, rules.pace.last >= .milliseconds(2) else { return changes }
        Thread.sleep(forTimeInterval: min(rules.pace.last / 5, .milliseconds(5)) / .seconds(1))
        return late()
    }
}

/// The error if a change failed after it had written, or if visits could not be recorded together: the group must be
/// repeated with savepoints.
private struct FailedAfterWriting: Error {}

extension Group {
    /// Records the visits of several requests together.
    ///
    /// - Throws: ``FailedAfterWriting`` if that fails, so that each request is repeated alone; otherwise as
    ///   ``make(_:_:in:inSavepoint:)``.
    private func record(_ changes: ArraySlice<Member>, in db: Engine.EngineTransaction) throws -> [Member.Answer] {
        let recordings = changes.compactMap { change in
            if case .record(let request, let continuation) = change { (request, continuation) } else { nil }
        }
        do {
            let results = try VisitRecording(db).record(recordings.map(\.0))
            return zip(recordings, results).map { recording, result in
                Member.outcome(result.mapError { $0 as any Error }, for: recording.1).answer
            }
        } catch {
            guard !db.isLost, !engine.isCollision(error) else { throw error }
            throw FailedAfterWriting()
        }
    }

    /// Runs a change.
    ///
    /// - Throws: ``FailedAfterWriting`` without a savepoint; otherwise if the database cannot continue or has rolled
    ///   back the whole transaction, as SQLite does when the disk is full.
    private func make(
        _ change: Member, _ answers: inout [Member.Answer], in db: Engine.EngineTransaction, inSavepoint: Bool
    ) throws {
        if inSavepoint { try db.run("SAVEPOINT change", []) }
        let mark = db.undoMark
        let (failure, answer) = change.run(in: db)
        answers.append(answer)
        if let failure {
            guard !db.isLost, !engine.isCollision(failure) else { throw failure }
            guard inSavepoint || db.undoMark == mark else { throw FailedAfterWriting() }
            if inSavepoint { try db.run("ROLLBACK TO SAVEPOINT change", []) }
        }
        if inSavepoint { try db.run("RELEASE SAVEPOINT change", []) }
    }
}
