import RegistryRules

/// One caller's change, and how the caller gets the result.
struct Change<EngineTransaction: GroupTransaction>: Sendable {
    /// Passes the caller its result, or the error of the commit.
    typealias Answer = @Sendable (_ failure: (any Error)?) -> Void

    /// Runs the change; returns the error if it failed and must be undone.
    let body: @Sendable (EngineTransaction) -> (failure: (any Error)?, answer: Answer)
    /// Refuses a change that never ran.
    let refuse: Answer
    /// The request of a change that only records visits; otherwise nil.
    var recording: Recording?

    init<Result: Sendable>(
        _ change: @escaping @Sendable (EngineTransaction) throws -> Result,
        _ continuation: CheckedContinuation<Result, any Error>
    ) {
        body = { db in
            do {
                let result = try change(db)
                return (nil, { continuation.resume(with: $0.map { .failure($0) } ?? .success(result)) })
            } catch {
                return (error, { continuation.resume(throwing: $0 ?? error) })
            }
        }
        refuse = { continuation.resume(throwing: $0 ?? CancellationError()) }
    }

    init(_ request: RecordRequest, _ continuation: CheckedContinuation<[RecordedVisit], any Error>) {
        self.init({ try VisitRecording($0).record(request) }, continuation)
        recording = Recording(request: request, continuation: continuation)
    }
}

/// A request to record visits, and how the caller gets the result.
struct Recording: Sendable {
    let request: RecordRequest
    let continuation: CheckedContinuation<[RecordedVisit], any Error>

    func answer(
        _ result: Result<[RecordedVisit], DomainError>
    ) -> @Sendable (_ failure: (any Error)?) -> Void {
        { continuation.resume(with: $0.map { .failure($0) } ?? result.mapError { $0 }) }
    }
}
