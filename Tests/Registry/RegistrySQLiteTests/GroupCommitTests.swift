import Dispatch
import GRDB
import RegistryRules
import Synchronization
import TestSupport
import Testing

@testable import RegistrySQL
@testable import RegistrySQLite

@Suite("Group commit")
struct GroupCommitTests {
    private struct Refusal: Error {}

    private let folder: TemporaryFolder
    private let pool: DatabasePool
    private let groups = Groups()

    init() throws {
        folder = try TemporaryFolder()
        pool = try DatabasePool(path: folder.file("test.sqlite"))
        try pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE parent (key INTEGER PRIMARY KEY);
                    CREATE TABLE number (
                        value INTEGER NOT NULL UNIQUE, parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED
                    )
                    """
            )
        }
    }

    /// A group commit without a time limit, so that the speed of the machine does not matter.
    private func commits(members: Int = 256, waiting: Int = 1024) -> GroupCommit<SQLiteTransaction> {
        let writer = DispatchQueue(label: "test.writer")
        let connection = TestConnection(pool: pool, transactions: PooledTransactions(), groups: groups)
        return GroupCommit(limits: GroupLimits(waiting: waiting, members: members, span: .seconds(3600))) { commits in
            writer.async { _ = commits.commit(on: connection) }
        }
    }

    @Sendable private static func insert(_ value: Int) -> @Sendable (SQLiteTransaction) throws -> Int {
        { db in
            try db.run("INSERT INTO number (value) VALUES (?)", [value])
            return value
        }
    }

    private var numbers: [Int] {
        get async throws {
            try await pool.read { try Int.fetchAll($0, sql: "SELECT value FROM number ORDER BY value") }
        }
    }

    /// Blocks the writer with a first change until this many changes wait behind it.
    ///
    /// - Parameter meanwhile: runs while they wait.
    private func gathering<Result: Sendable>(
        _ count: Int, on commits: GroupCommit<SQLiteTransaction>, meanwhile: @Sendable () async -> Void = {},
        _ body: @Sendable @escaping (inout ThrowingTaskGroup<Result, any Error>) -> Void
    ) async throws -> [Swift.Result<Result, any Error>] {
        let gate = DispatchSemaphore(value: 0)
        let (beginnings, hasBegun) = AsyncStream.makeStream(of: Void.self)
        let first = Task {
            try await commits.perform { _ in
                hasBegun.yield()
                gate.wait()
                // Keep the gate open, because a group may be run twice.
                gate.signal()
            }
        }
        for await _ in beginnings { break }
        return try await withThrowingTaskGroup(of: Result.self) { group in
            body(&group)
            // Also if they never wait: the group's tasks must end.
            defer { gate.signal() }
            try await eventually("\(count) changes wait") { commits.waiting >= count }
            await meanwhile()
            gate.signal()
            _ = await first.result
            var results: [Swift.Result<Result, any Error>] = []
            while let result = await group.nextResult() { results.append(result) }
            return results
        }
    }

    @Test("changes that arrive while others run share their commit, and each gets its own result")
    func shared() async throws {
        let commits = commits()
        let results = try await gathering(50, on: commits) { group in
            for value in 0..<50 { group.addTask { try await commits.perform(Self.insert(value)) } }
        }
        #expect(try results.map { try $0.get() }.sorted() == Array(0..<50))
        #expect(try await numbers == Array(0..<50))
        #expect(groups.count == 1)
    }

    @Test("a failed change undoes only itself, completely")
    func savepoints() async throws {
        let commits = commits()
        let results = try await gathering(20, on: commits) { group in
            for value in 0..<20 {
                group.addTask {
                    try await commits.perform { db in
                        _ = try Self.insert(value)(db)
                        if value % 2 == 1 { throw Refusal() }
                        return value
                    }
                }
            }
        }
        #expect(results.filter { (try? $0.get()) != nil }.count == 10)
        #expect(try await numbers == stride(from: 0, to: 20, by: 2).map(\.self))
        #expect(groups.failures == 0)
    }

    @Test("a failed commit fails every change and stores nothing, and the next one succeeds")
    func failedCommit() async throws {
        let commits = commits()
        let results = try await gathering(3, on: commits) { group in
            for value in 0..<2 { group.addTask { try await commits.perform(Self.insert(value)) } }
            group.addTask {
                try await commits.perform { db in
                    // SQLite checks this constraint only at the commit.
                    try db.run("INSERT INTO number (value, parent) VALUES (2, 7)", [])
                    return 2
                }
            }
        }
        #expect(results.allSatisfy { (try? $0.get()) == nil })
        #expect(groups.failures == 1)
        #expect(try await numbers.isEmpty)
        #expect(try await commits.perform(Self.insert(3)) == 3)
        #expect(try await numbers == [3])
    }

    @Test("if SQLite rolls back the whole transaction, no change of the group succeeds")
    func rolledBack() async throws {
        let commits = commits()
        let results = try await gathering(2, on: commits) { group in
            group.addTask { try await commits.perform(Self.insert(1)) }
            group.addTask {
                try await commits.perform { db in
                    try db.run("INSERT OR ROLLBACK INTO number (value) VALUES (1), (1)", [])
                    return 1
                }
            }
        }
        #expect(try await numbers.count == results.filter { (try? $0.get()) != nil }.count)
        #expect(try await commits.perform(Self.insert(3)) == 3)
    }

    @Test("the size of a group is limited; the rest goes into the next one")
    func bounded() async throws {
        let commits = commits(members: 10)
        _ = try await gathering(25, on: commits) { group in
            for value in 0..<25 { group.addTask { try await commits.perform(Self.insert(value)) } }
        }
        // There are 26 changes: the first one, which holds the writer, and 25 others.
        #expect(groups.count == 3)
        #expect(try await numbers.count == 25)
    }

    @Test("if too many changes wait, the next one is refused at once")
    func backPressure() async throws {
        let commits = commits(waiting: 3)
        let refused: @Sendable () async -> Void = {
            await #expect(throws: DomainError.overloaded) { try await commits.perform(Self.insert(3)) }
        }
        _ = try await gathering(3, on: commits, meanwhile: refused) { group in
            for value in 0..<3 { group.addTask { try await commits.perform(Self.insert(value)) } }
        }
        #expect(try await numbers == [0, 1, 2])
    }

    @Test("a cancelled task submits no change")
    func cancelled() async throws {
        let commits = commits()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await commits.perform(Self.insert(1))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await numbers.isEmpty)
    }
}

/// A connection to a database without the registry's tables.
private struct TestConnection: CommitEngine {
    let pool: DatabasePool
    let transactions: PooledTransactions
    let groups: Groups

    func commit(_ body: (SQLiteTransaction) throws -> Void) throws {
        try pool.writeWithoutTransaction { db in
            try db.inTransaction(.immediate) {
                try body(transactions.on(db))
                return .commit
            }
        }
    }

    func finish(_ db: SQLiteTransaction) {}
    func isCollision(_ error: any Error) -> Bool { false }
    func note(_ failure: (any Error)?, _ news: StoreNews) { groups.note(failure) }
}

/// The outcomes of the groups.
private final class Groups: Sendable {
    private let ends = Mutex<[Bool]>([])

    var count: Int { ends.withLock(\.count) }
    var failures: Int { ends.withLock { $0.filter { !$0 }.count } }

    func note(_ failure: (any Error)?) { ends.withLock { $0.append(failure == nil) } }
}
