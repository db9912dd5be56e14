import PostgreSQL
import RegistryRules
import RegistrySQL

/// Runs the queries of many callers in shared read transactions.
///
/// Queries that accumulate while one group runs share the next transaction. Its snapshot is made after they have
/// arrived, so it includes every write that was confirmed before. There are as many lanes as connections; each runs one
/// group at a time.
final class GroupedReads: Sendable {
    /// A query, with the continuation of its caller.
    private struct Query: Sendable {
        /// Runs the query in a transaction, or passes on the reason why there is none; false if the query must run
        /// again, in another transaction.
        let answer: @Sendable (Result<PostgreSQLTransaction, any Error>, _ isLastTime: Bool) -> Bool
    }

    /// A snapshot that does not change between the statements of a query.
    static let mode = "ISOLATION LEVEL REPEATABLE READ READ ONLY"
    /// How often a query is tried if its statements no longer fit the tables, because another process has changed them.
    /// Each time, one statement is prepared again.
    static let attempts = 4
    /// The maximum number of waiting queries.
    private static let limit = 4096

    private let lanes: [GatheringQueue<Query>]
    private let pool: ConnectionPool
    private let texts: StatementTexts

    init(pool: ConnectionPool, lanes: Int, texts: StatementTexts) {
        self.lanes = (0..<lanes).map { _ in GatheringQueue(limit: Self.limit / lanes) }
        self.pool = pool
        self.texts = texts
    }

    /// Runs a query with others that wait, and returns its result.
    ///
    /// - Throws: the error of the query; ``DomainError/overloaded`` if too many queries wait.
    func perform<Result: Sendable>(
        _ query: @escaping @Sendable (PostgreSQLTransaction) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let waiting = Query { transaction, isLastTime in
                let result = Swift.Result { try query(try transaction.get()) }
                if !isLastTime, case .failure(let error as PostgreSQLError) = result, error.isStaleStatement {
                    return false
                }
                continuation.resume(with: result)
                return true
            }
            let lane = lanes.min { $0.load < $1.load }
            let isAccepted = lane.map { lane in lane.submit(waiting) { Task { await serve(lane) } } }
            if isAccepted != true { continuation.resume(throwing: DomainError.overloaded) }
        }
    }

    /// Serves a lane until none waits, with another connection after a loss.
    private func serve(_ queue: GatheringQueue<Query>) async {
        do {
            while try await !pool.use({ self.answer(queue, on: $0) }) {}
        } catch {
            while let queries = queue.next() {
                for query in queries { _ = query.answer(.failure(error), true) }
            }
        }
    }

    /// Runs queries until none waits; false if the connection was lost before.
    private func answer(_ queue: GatheringQueue<Query>, on connection: Connection) -> Bool {
        while connection.isCurrent {
            guard let queries = queue.next() else { return true }
            var rest = queries[...]
            var attempt = 1
            do {
                while !rest.isEmpty {
                    try connection.begin(Self.mode)
                    // A query with an error ends the transaction, and the next one gets a new one.
                    while connection.transactionStatus == .inTransaction, let query = rest.first {
                        let transaction = PostgreSQLTransaction(connection, texts)
                        let isAnswered = query.answer(.success(transaction), attempt == Self.attempts)
                        attempt = isAnswered ? 1 : attempt + 1
                        if isAnswered { rest.removeFirst() }
                    }
                    try connection.rollBack()
                }
            } catch {
                for query in rest { _ = query.answer(.failure(error), true) }
            }
        }
        return false
    }
}
