import Dispatch
import Synchronization

/// A queue of jobs from many tasks for one thread, which takes all waiting jobs at once.
///
/// An idle thread starts at once; while it is busy, jobs accumulate. So a group of jobs costs one thread switch,
/// instead of one for each job, and no job waits for a timer.
final class GatheringQueue<Job: Sendable>: Sendable {
    private struct State {
        var waiting: [Job] = []
        var isServed = false

        mutating func takeAll() -> [Job] {
            defer { waiting = [] }
            return waiting
        }
    }

    private let state = Mutex(State())
    private let queue: DispatchQueue
    private let limit: Int
    private let serve: @Sendable (_ jobs: [Job], _ late: () -> [Job]) -> Void

    /// - Parameters:
    ///   - limit: the maximum number of waiting jobs.
    ///   - serve: runs the jobs on this queue's thread. It may take more jobs that have arrived in the meantime, and
    ///     must run every job that it takes.
    init(
        label: String, limit: Int, serve: @escaping @Sendable (_ jobs: [Job], _ late: () -> [Job]) -> Void
    ) {
        queue = DispatchQueue(label: label)
        self.limit = limit
        self.serve = serve
    }

    /// The number of waiting jobs.
    var count: Int { state.withLock { $0.waiting.count } }

    /// Adds a job; false if too many are waiting, and then the job does not run.
    func submit(_ job: Job) -> Bool {
        let (isAccepted, startsService) = state.withLock { state in
            guard state.waiting.count < limit else { return (false, false) }
            state.waiting.append(job)
            defer { state.isServed = true }
            return (true, !state.isServed)
        }
        if startsService { queue.async { self.run() } }
        return isAccepted
    }

    private func run() {
        while let jobs = takeAll() { serve(jobs) { state.withLock { $0.takeAll() } } }
    }

    /// Takes all waiting jobs; nil ends the service until the next job is added.
    private func takeAll() -> [Job]? {
        state.withLock { state in
            state.isServed = !state.waiting.isEmpty
            return state.isServed ? state.takeAll() : nil
        }
    }
}
