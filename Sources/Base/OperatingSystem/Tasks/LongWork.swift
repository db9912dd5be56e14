/// Runs work that needs much processor time on a separate thread, one piece at a time, so that it does not delay tasks
/// on the few threads that all tasks share.
public actor LongWork {
    private let executor: QueueExecutor

    nonisolated public var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    public init(label: String) { executor = QueueExecutor(label: label) }

    public func run<Result: Sendable>(_ work: @Sendable () throws -> Result) throws -> Result { try work() }
}
