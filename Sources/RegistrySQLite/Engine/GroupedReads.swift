import GRDB
import Registry
import RegistrySQL

/// Answers the questions of many callers in one read transaction.
///
/// A look-up by key takes microseconds, the change to a reader's thread and back many times that: the questions that
/// gather while one group is answered share the next change of thread. All of a group see the same moment, which is
/// never before the last answered write.
final class GroupedReads: Sendable {
    private typealias Question = @Sendable (Result<Database, any Error>) -> Void

    /// Questions that may wait.
    private static let limit = 4096

    private let queue: GatheringQueue<Question>

    init(pool: DatabasePool) {
        queue = GatheringQueue(label: "registry.reader", limit: Self.limit) { questions, _ in
            var rest = questions[...]
            do {
                try pool.read { db in
                    while let question = rest.popFirst() { question(.success(db)) }
                }
            } catch {
                for question in rest { question(.failure(error)) }
            }
        }
    }

    /// - Throws: what the query threw; ``DomainError/overloaded`` where too many wait.
    func perform<Result: Sendable>(_ query: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let isAccepted = queue.submit { database in
                continuation.resume(with: Swift.Result { try query(try database.get()) })
            }
            if !isAccepted { continuation.resume(throwing: DomainError.overloaded) }
        }
    }
}
