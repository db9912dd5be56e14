import Dispatch
import GRDB
import RegistryRules
import RegistrySQL

/// Runs the queries of many callers in one read transaction.
///
/// A look-up by key takes microseconds, and switching to a reader's thread and back takes many times as long. Therefore
/// queries that accumulate while one group runs share the next switch. All queries of a group see the same snapshot,
/// which includes every confirmed write.
final class GroupedReads: Sendable {
    private typealias Question = @Sendable (Result<SQLiteTransaction, any Error>) -> Void

    /// The maximum number of waiting queries.
    private static let limit = 4096

    private let queue: GatheringQueue<Question>

    init(pool: DatabasePool, transactions: PooledTransactions) {
        let thread = DispatchQueue(label: "registry.reader")
        queue = GatheringQueue(limit: Self.limit) { queue in
            thread.async { while let questions = queue.next() { Self.answer(questions, pool, transactions) } }
        }
    }

    private static func answer(_ questions: [Question], _ pool: DatabasePool, _ transactions: PooledTransactions) {
        var rest = questions[...]
        do {
            try pool.read { db in
                let transaction = transactions.on(db)
                while let question = rest.popFirst() { question(.success(transaction)) }
            }
        } catch {
            for question in rest { question(.failure(error)) }
        }
    }

    /// - Throws: the error of the query; ``DomainError/overloaded`` if too many queries wait.
    func perform<Result: Sendable>(
        _ query: @escaping @Sendable (SQLiteTransaction) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let isAccepted = queue.submit { transaction in
                continuation.resume(with: Swift.Result { try query(try transaction.get()) })
            }
            if !isAccepted { continuation.resume(throwing: DomainError.overloaded) }
        }
    }
}
