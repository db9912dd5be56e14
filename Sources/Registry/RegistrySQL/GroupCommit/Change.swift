import RegistryRules

/// One caller's change, and how the caller gets the result.
enum Change<EngineTransaction: Transaction>: Sendable {
    /// Passes the caller its result, or the error of the commit.
    typealias Answer = @Sendable (_ failure: (any Error)?) -> Void

    /// Visits to record, together with those of the changes beside it.
    case visits(RecordRequest, CheckedContinuation<[RecordedVisit], any Error>)
    /// Any other change: runs it, and returns the error if it failed and must be undone; or refuses it before it ran.
    case other(run: @Sendable (EngineTransaction) -> (failure: (any Error)?, answer: Answer), refuse: Answer)

    init<Value: Sendable>(
        _ change: @escaping @Sendable (EngineTransaction) throws -> Value,
        _ continuation: CheckedContinuation<Value, any Error>
    ) {
        self = .other(
            run: { db in
                do {
                    return (nil, Self.answer(.success(try change(db)), to: continuation))
                } catch {
                    return (error, Self.answer(.failure(error), to: continuation))
                }
            },
            refuse: { continuation.resume(throwing: $0 ?? CancellationError()) })
    }

    /// Refuses a change that never ran.
    func refuse(with error: (any Error)?) {
        switch self {
        case .visits(_, let continuation): continuation.resume(throwing: error ?? CancellationError())
        case .other(_, let refuse): refuse(error)
        }
    }

    /// How a caller gets the result of its change, or the error of the commit.
    static func answer<Value: Sendable>(
        _ result: Result<Value, any Error>, to continuation: CheckedContinuation<Value, any Error>
    ) -> Answer {
        { continuation.resume(with: $0.map { .failure($0) } ?? result) }
    }
}
