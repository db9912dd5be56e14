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
    /// Gets the transaction, or the error if there is none, and resumes its caller.
    private typealias Query = @Sendable (Result<SQLiteTransaction, any Error>) -> Void

    /// The maximum number of waiting queries.
    private static let limit = 4096

    private let queue = GatheringQueue<Query>(limit: GroupedReads.limit)
    private let thread = DispatchQueue(label: "registry.reader")
    private let pool: DatabasePool
    private let transactions: PooledTransactions

    init(pool: DatabasePool, transactions: PooledTransactions) {
        self.pool = pool
        self.transactions = transactions
    }

    /// Runs a query with others that wait, and returns its result.
    ///
    /// - Throws: the error of the query; ``DomainError/overloaded`` if too many queries wait.
    func perform<Result: Sendable>(
        _ query: @escaping @Sendable (SQLiteTransaction) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let waiting: Query = { transaction in
                continuation.resume(with: Swift.Result { try query(try transaction.get()) })
            }
            let isAccepted = queue.submit(waiting) { thread.async { self.serve() } }
            if !isAccepted { continuation.resume(throwing: DomainError.overloaded) }
        }
    }

    /// Runs what waits, group by group, until nothing waits.
    private func serve() {
        while let queries = queue.next() { run(queries) }
    }

    /// Runs queries in one transaction. If it fails, the remaining ones get its error.
    private func run(_ queries: [Query]) {
        var rest = queries[...]
        do {
            try pool.read { db in
                let transaction = transactions.on(db)
                while let query = rest.popFirst() { query(.success(transaction)) }
            }
        } catch {
            for query in rest { query(.failure(error)) }
        }
    }
}
