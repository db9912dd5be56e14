public import Dispatch

/// The queue on which the radios of this machine are merged, and on which their reader should run.
///
/// Receivers in the network run on it, too. So what 20 of them have sent is read, merged and looked up by one thread
/// that wakes once, and no batch is passed from thread to thread. Nothing on the queue may block.
///
/// It has two executors. A task that prefers ``tasks`` runs on it outside of actors, and continues there without
/// waiting for the queue, as a reader of batches must: otherwise the receivers would get more turns than it, and
/// batches would pile up.
public enum RadioQueue {
    /// For Dispatch sources and timers that belong to actors on the queue: `assumeIsolated` verifies that they are.
    public static let queue = DispatchQueue(label: "Radios")
    /// The executor of actors. Tasks that call them should prefer ``tasks``: others wait for the queue with each call.
    public static let actors = ActorExecutor()
    /// The executor for tasks to prefer.
    public static let tasks = PreferredExecutor()

    /// Runs the jobs of actors on the queue.
    public final class ActorExecutor: SerialExecutor {
        public func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async {
                job.runSynchronously(
                    isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: tasks.asUnownedTaskExecutor())
            }
        }

        /// Stops the process if `assumeIsolated` is called off the queue, as the protocol requires.
        public func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
    }

    /// Runs the jobs of tasks on the queue.
    public final class PreferredExecutor: TaskExecutor {
        public func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}
