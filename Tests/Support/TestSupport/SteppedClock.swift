public import Beacons
public import Scanning
import Synchronization

/// A clock that stands still until a test advances it; sleepers wake at their deadlines.
public final class SteppedClock: ScanClock {
    private struct State {
        var now = ScanInstant(nanoseconds: 0)
        var nextID = 0
        var sleepers: [Int: (deadline: ScanInstant, wake: CheckedContinuation<Void, any Error>)] = [:]
        var observers: [(count: Int, wake: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    public init() {}

    public var now: ScanInstant { state.withLock(\.now) }
    public var minimumResolution: Duration { .nanoseconds(1) }

    public func sleep(until deadline: ScanInstant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { add($0, id, deadline) }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.wake.resume(throwing: CancellationError())
        }
    }

    private func add(_ wake: CheckedContinuation<Void, any Error>, _ id: Int, _ deadline: ScanInstant) {
        let isOver = state.withLock { state in
            guard !Task.isCancelled, deadline > state.now else { return true }
            state.sleepers[id] = (deadline, wake)
            return false
        }
        guard isOver else { return tellObservers() }
        if Task.isCancelled { wake.resume(throwing: CancellationError()) } else { wake.resume() }
    }

    private func tellObservers() {
        let ready = state.withLock { state in
            let ready = state.observers.filter { $0.count <= state.sleepers.count }
            state.observers.removeAll { $0.count <= state.sleepers.count }
            return ready
        }
        for observer in ready { observer.wake.resume() }
    }

    /// Returns once this number of tasks sleep.
    public func sleepers(_ count: Int = 1) async {
        await withCheckedContinuation { wake in
            let isReady = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.observers.append((count, wake))
                return false
            }
            if isReady { wake.resume() }
        }
    }

    /// Advances the time and wakes all sleepers that are due.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.wake.resume() }
    }

    /// Waits for this number of sleepers, and advances the time until all of them are due.
    public func advancePastSleeps(of count: Int) async {
        await sleepers(count)
        let latest = state.withLock { state in state.sleepers.values.map { $0.deadline }.max() ?? state.now }
        advance(by: now.duration(to: latest))
    }

    /// Advances time in steps, and waits for this number of sleepers before each.
    public func advance(by duration: Duration, inStepsOf step: Duration, sleepers count: Int = 1) async {
        var left = duration
        while left > .zero {
            await sleepers(count)
            advance(by: min(step, left))
            left -= step
        }
        await sleepers(count)
    }
}
