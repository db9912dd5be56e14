import GRDB
import RegistryRules
import RegistrySQL

/// Runs the queries of many callers in one read transaction.
///
/// A look-up by key takes microseconds, and switching to a reader's thread and back takes many times as long. Therefore
/// queries that accumulate while one group runs share the next switch. All queries of a group see the same snapshot,
/// which includes every confirmed write.
///
/// They have a connection of their own, on whose queue they run: to get one from the pool, and to let GRDB begin and end
/// a transaction, would take longer than the query.
final class GroupedReads: Sendable {
    /// Gets the transaction, or the error if there is none, and resumes its caller.
    private typealias Query = @Sendable (Result<SQLiteTransaction, any Error>) -> Void

    /// The maximum number of waiting queries.
    private static let limit = 4096

    private let queue = GatheringQueue<Query>(limit: GroupedReads.limit)
    private let connection: DatabaseQueue
    private let transactions: PooledTransactions

    /// - Parameter connection: one that nothing else uses.
    init(connection: DatabaseQueue, transactions: PooledTransactions) {
        self.connection = connection
        self.transactions = transactions
    }

    /// Waits for the queries that run, and closes the connection.
    func close() throws { try connection.close() }

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
            let isAccepted = queue.submit(waiting) { connection.asyncWriteWithoutTransaction { self.serve(on: $0) } }
            if !isAccepted { continuation.resume(throwing: DomainError.overloaded) }
        }
    }

    /// Runs what waits, group by group, until nothing waits.
    private func serve(on db: Database) {
        let transaction = transactions.on(db)
        while let queries = queue.next() { run(queries, in: transaction) }
    }

    /// Runs queries in one transaction. If it fails, the remaining ones get its error.
    private func run(_ queries: [Query], in transaction: SQLiteTransaction) {
        var rest = queries[...]
        do {
            try transaction.run(beginning: "BEGIN") {
                while let query = rest.popFirst() { query(.success(transaction)) }
            }
        } catch {
            for query in rest { query(.failure(error)) }
        }
    }
}
