public import Dispatch

/// Runs an actor's work on a private serial Dispatch queue, so that a blocking C call does not delay other tasks.
///
/// The queue is public for Dispatch sources and timers that belong to the actor: all work on the queue is isolated to
/// the actor, which `assumeIsolated` verifies.
public final class QueueExecutor: SerialExecutor {
    public let queue: DispatchQueue

    /// - Parameter label: the queue's name in debuggers and stack traces.
    public init(label: String) {
        queue = DispatchQueue(label: label)
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Stops the process if `assumeIsolated` is called off the queue, as the protocol requires.
    public func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}

/// Runs work that needs much processor time on a separate thread, one piece at a time, so that it does not delay tasks
/// on the few threads that all tasks share.
public actor LongWork {
    private let executor: QueueExecutor

    nonisolated public var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter label: the name of the thread's queue in debuggers and stack traces.
    public init(label: String) { executor = QueueExecutor(label: label) }

    public func run<Result: Sendable>(_ work: @Sendable () throws -> Result) throws -> Result { try work() }
}
