import Dispatch
import Synchronization

/// The callers that wait for a connection of a pool, in the order of their arrival.
final class ConnectionQueue: Sendable {
    /// What a caller wants to do with a connection.
    struct Job: Sendable {
        /// When the caller stops waiting.
        let expiry: ContinuousClock.Instant
        /// Called exactly once, with a connection or the reason why there is none.
        let run: @Sendable (Result<Connection, PostgreSQLError>) -> Void
    }

    private struct State {
        var jobs: [Job] = []
        /// The index of the next job; those before it have been taken.
        var next = 0
        var isStopping = false
        /// Whether a timer is set that fails the jobs that have waited for too long.
        var isSweeping = false
        /// The number of threads that have not ended.
        var workers: Int
        /// The number of open connections.
        var openCount = 0
        var lastFailure: PostgreSQLError?
        var endWaiters: [CheckedContinuation<Void, Never>] = []

        var count: Int { jobs.count - next }

        mutating func take() -> Job? {
            guard next < jobs.count else { return nil }
            let job = jobs[next]
            next += 1
            // Jobs that were taken keep what they captured, such as photos.
            if next == jobs.count || next > 256 && next * 2 > jobs.count {
                jobs.removeFirst(next)
                next = 0
            }
            return job
        }
    }

    private let state: Mutex<State>
    private let limit: Int
    /// Wakes the workers: once for each job, and once for each worker at the end.
    private let arrivals = DispatchSemaphore(value: 0)
    /// Ends the pauses of workers that could not connect.
    private let stops = DispatchSemaphore(value: 0)

    init(limit: Int, workers: Int) {
        self.limit = limit
        state = Mutex(State(workers: workers))
    }

    var waitingCount: Int { state.withLock(\.count) }
    var openCount: Int { state.withLock(\.openCount) }
    var lastFailure: PostgreSQLError? { state.withLock(\.lastFailure) }
    var isStopping: Bool { state.withLock(\.isStopping) }

    /// False if too many are waiting, or after the end; then the job is not run.
    func submit(_ job: Job) -> Bool {
        let (isAccepted, startsSweep) = state.withLock { state in
            guard !state.isStopping, state.count < limit else { return (false, false) }
            state.jobs.append(job)
            defer { state.isSweeping = true }
            return (true, !state.isSweeping)
        }
        if isAccepted { arrivals.signal() }
        if startsSweep { sweep(at: job.expiry) }
        return isAccepted
    }

    /// Waits for a job; nil after a pause, or at the end.
    func take(waitingAtMost pause: Duration) -> Job? {
        _ = arrivals.wait(timeout: .now() + .milliseconds(pause.milliseconds))
        return state.withLock { $0.take() }
    }

    /// Returns a job to the front; it has not run.
    func putBack(_ job: Job) {
        let startsSweep = state.withLock { state in
            if state.next > 0 {
                state.next -= 1
                state.jobs[state.next] = job
            } else {
                state.jobs.insert(job, at: 0)
            }
            defer { state.isSweeping = true }
            return !state.isSweeping
        }
        arrivals.signal()
        if startsSweep { sweep(at: job.expiry) }
    }

    /// Waits; returns early at the end.
    func pause(_ duration: Duration) {
        _ = stops.wait(timeout: .now() + .milliseconds(duration.milliseconds))
    }

    /// A worker has opened a connection.
    func noteOpened() {
        state.withLock { state in
            state.openCount += 1
            state.lastFailure = nil
        }
    }

    /// A worker has closed its connection.
    func noteClosed() { state.withLock { $0.openCount -= 1 } }

    /// A worker could not connect.
    func note(_ failure: PostgreSQLError) { state.withLock { $0.lastFailure = failure } }

    /// Refuses further jobs; the workers end when none waits.
    func stop() {
        let workers = state.withLock { state in
            defer { state.isStopping = true }
            return state.isStopping ? 0 : state.workers
        }
        for _ in 0..<workers {
            arrivals.signal()
            stops.signal()
        }
    }

    /// A worker has ended. The last one fails the jobs that could not run.
    func noteEnd() {
        let (jobs, waiters) = state.withLock { state -> ([Job], [CheckedContinuation<Void, Never>]) in
            state.workers -= 1
            guard state.workers == 0 else { return ([], []) }
            defer { (state.jobs, state.next, state.endWaiters) = ([], 0, []) }
            return (Array(state.jobs[state.next...]), state.endWaiters)
        }
        for job in jobs { job.run(.failure(.unavailable("the program is stopping"))) }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when all workers have ended, or when the task is cancelled.
    func ended() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.workers > 0, !Task.isCancelled else { return true }
                    state.endWaiters.append(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiters = state.withLock { state in
                defer { state.endWaiters = [] }
                return state.endWaiters
            }
            for waiter in waiters { waiter.resume() }
        }
    }

    /// Fails the jobs that have waited for too long. All wait equally long, so the first one expires first.
    private func sweep(at expiry: ContinuousClock.Instant) {
        let pause = max(.zero, expiry - .now)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(pause.milliseconds + 1)) { [self] in
            let now = ContinuousClock.now
            let (expired, failure, next) = state.withLock { state in
                var expired: [Job] = []
                while state.count > 0, state.jobs[state.next].expiry <= now, let job = state.take() {
                    expired.append(job)
                }
                let next = state.count > 0 ? state.jobs[state.next].expiry : nil
                state.isSweeping = next != nil
                return (expired, state.openCount == 0 ? state.lastFailure : nil, next)
            }
            let reason = failure ?? PostgreSQLError(.overloaded, "no connection to the database became free in time")
            for job in expired { job.run(.failure(reason)) }
            if let next { sweep(at: next) }
        }
    }
}

extension Duration {
    /// Whole milliseconds, at most a day.
    var milliseconds: Int {
        let (seconds, attoseconds) = min(self, .seconds(86400)).components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
