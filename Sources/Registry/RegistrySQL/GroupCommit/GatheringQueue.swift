import Synchronization

/// A queue of jobs from many tasks for one thread, which takes all waiting jobs together.
///
/// An idle thread starts immediately; while it is busy, jobs accumulate. So a group of jobs costs one thread switch,
/// instead of one for each job, and no job waits for a timer.
package final class GatheringQueue<Job: Sendable>: Sendable {
    private struct State {
        var waiting: [Job] = []
        var isServed = false

        mutating func takeAll() -> [Job] {
            defer { waiting = [] }
            return waiting
        }
    }

    private let state = Mutex(State())
    private let limit: Int

    /// - Parameter limit: the maximum number of waiting jobs.
    package init(limit: Int) { self.limit = limit }

    /// The number of waiting jobs.
    package var count: Int { state.withLock { $0.waiting.count } }

    /// The number of waiting jobs, and one more while the queue is served.
    package var load: Int { state.withLock { $0.waiting.count + ($0.isServed ? 1 : 0) } }

    /// Adds a job; false if too many are waiting, and then the job does not run.
    ///
    /// - Parameter start: called if no thread serves the queue. It makes one take jobs by ``next()`` until there are
    ///   none, and run every job that it takes.
    package func submit(_ job: Job, start: () -> Void) -> Bool {
        let (isAccepted, startsService) = state.withLock { state in
            guard state.waiting.count < limit else { return (false, false) }
            state.waiting.append(job)
            defer { state.isServed = true }
            return (true, !state.isServed)
        }
        if startsService { start() }
        return isAccepted
    }

    /// Takes all waiting jobs; nil ends the service until the next job is added.
    package func next() -> [Job]? {
        state.withLock { state in
            state.isServed = !state.waiting.isEmpty
            return state.isServed ? state.takeAll() : nil
        }
    }

    /// Takes the jobs that have arrived since ``next()``, without ending the service.
    package func late() -> [Job] { state.withLock { $0.takeAll() } }
}
