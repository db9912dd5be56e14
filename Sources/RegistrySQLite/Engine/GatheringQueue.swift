import Dispatch
import Synchronization

/// Jobs that many tasks hand to one thread, which takes all that wait at once.
///
/// An idle thread begins at once; while it is busy, jobs gather. So work costs one change of thread for a group, not for
/// each job, and nobody waits for a timer.
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
    ///   - limit: how many jobs may wait.
    ///   - serve: does the jobs, on a thread of this queue's own; it may take those that came meanwhile, and must do what
    ///     it took.
    init(
        label: String, limit: Int, serve: @escaping @Sendable (_ jobs: [Job], _ late: () -> [Job]) -> Void
    ) {
        queue = DispatchQueue(label: label)
        self.limit = limit
        self.serve = serve
    }

    /// How many jobs wait now.
    var count: Int { state.withLock { $0.waiting.count } }

    /// False where too many wait already; the job is not done then.
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

    /// All that wait; nil ends the service until the next job comes.
    private func takeAll() -> [Job]? {
        state.withLock { state in
            state.isServed = !state.waiting.isEmpty
            return state.isServed ? state.takeAll() : nil
        }
    }
}
