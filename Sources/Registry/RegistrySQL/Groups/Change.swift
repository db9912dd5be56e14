import RegistryRules

/// One caller's change, and how the caller gets the result.
enum Change<EngineTransaction: Transaction>: Sendable {
    /// Passes the caller its result, or the error of the commit.
    typealias Answer = @Sendable (_ failure: (any Error)?) -> Void

    /// Visits to record, together with those of the changes beside it.
    case record(RecordRequest, CheckedContinuation<[RecordedVisit], any Error>)
    /// Any other change: runs it, and returns the error if it failed and must be undone; or refuses it before it ran.
    case other(run: @Sendable (EngineTransaction) -> (failure: (any Error)?, answer: Answer), refuse: Answer)

    init<Value: Sendable>(
        _ change: @escaping @Sendable (EngineTransaction) throws -> Value,
        _ continuation: CheckedContinuation<Value, any Error>
    ) {
        self = .other(
            run: { db in Self.outcome(Result { try change(db) }, for: continuation) },
            refuse: { continuation.resume(throwing: $0 ?? CancellationError()) })
    }

    func run(in db: EngineTransaction) -> (failure: (any Error)?, answer: Answer) {
        switch self {
        case .record(let request, let continuation):
            Self.outcome(Result { try VisitRecording(db).record(request) }, for: continuation)
        case .other(let run, _): run(db)
        }
    }

    /// Refuses a change that never ran.
    func refuse(with error: (any Error)?) {
        switch self {
        case .record(_, let continuation): continuation.resume(throwing: error ?? CancellationError())
        case .other(_, let refuse): refuse(error)
        }
    }

    /// How the caller gets the result of a change, or the error of the commit.
    static func outcome<Value: Sendable>(
        _ result: Result<Value, any Error>, for continuation: CheckedContinuation<Value, any Error>
    ) -> (failure: (any Error)?, answer: Answer) {
        switch result {
        case .success(let value): (nil, { continuation.resume(with: $0.map { .failure($0) } ?? .success(value)) })
        case .failure(let error): (error, { continuation.resume(throwing: $0 ?? error) })
        }
    }
}
