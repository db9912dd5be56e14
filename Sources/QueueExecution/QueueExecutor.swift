public import Dispatch

/// Runs an actor's work on a serial Dispatch queue of its own, so that a blocking C call holds up no other task.
///
/// The queue is public for Dispatch sources and timers that belong to the actor: whatever runs on it is isolated to the
/// actor, which `assumeIsolated` finds confirmed.
public final class QueueExecutor: SerialExecutor {
    public let queue: DispatchQueue

    public init(label: String) {
        queue = DispatchQueue(label: label)
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Stops the process where `assumeIsolated` is called off the queue, as the protocol demands.
    public func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
