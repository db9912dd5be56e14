import DBus
import Scanning
import Synchronization

/// One iteration of a scanner's batches, with one session after the other, one for each connection to the bus.
final class Listening: Sendable {
    /// A call of ``recover(by:)`` that waits for its result.
    typealias Outcome = CheckedContinuation<Void, any Error>

    let task: Task<Void, Never>
    private let runner: SessionRunner

    init(
        adapter: String, bus: BlueZBus, options: BlueZOptions, clock: any Clock<Duration>, record: AdapterHealthRecord,
        frames: FrameBuffer, after last: Task<Void, Never>?
    ) {
        let runner = SessionRunner(
            adapter: adapter, bus: bus, options: options, clock: clock, record: record, frames: frames
        )
        self.runner = runner
        task = Task {
            await last?.value
            await runner.run()
        }
    }

    deinit { task.cancel() }

    /// Takes a recovery step; returns when discovery is running again.
    func recover(by step: RecoveryStep) async throws {
        try await runner.recover(by: step)
    }
}

/// Runs the sessions. It is separate from ``Listening``, so that the task does not keep that alive: its end cancels the
/// task.
final class SessionRunner: Sendable {
    private struct State {
        /// The events of the current session; nil between sessions.
        var events: EventQueue<SessionEvent>?
        /// The connection of the current session.
        var connection: DBusConnection?
        /// Calls that wait for the first start of discovery on the next connection.
        var reopening: [Listening.Outcome] = []
        var isOver = false
    }

    private let adapter: String
    private let bus: BlueZBus
    private let options: BlueZOptions
    private let clock: any Clock<Duration>
    private let record: AdapterHealthRecord
    private let frames: FrameBuffer
    private let state = Mutex(State())

    init(
        adapter: String, bus: BlueZBus, options: BlueZOptions, clock: any Clock<Duration>, record: AdapterHealthRecord,
        frames: FrameBuffer
    ) {
        self.adapter = adapter
        self.bus = bus
        self.options = options
        self.clock = clock
        self.record = record
        self.frames = frames
    }

    /// Runs a session on each connection to the bus, until the task is cancelled.
    func run() async {
        while !Task.isCancelled, let connection = try? await bus.connection() {
            record.report(.busConnected)
            let events = EventQueue<SessionEvent>()
            let reopening = state.withLock { state in
                state.events = events
                state.connection = connection
                defer { state.reopening = [] }
                return state.reopening
            }
            let session = AdapterSession(
                adapter: adapter, connection: connection, options: options, clock: clock, record: record,
                frames: frames, events: events
            )
            let reason = await session.run(answering: reopening)
            let unanswered = state.withLock { state in
                state.events = nil
                state.connection = nil
                return events.close()
            }
            for case .recover(_, let outcome) in unanswered { outcome.resume(throwing: reason) }
            if Task.isCancelled { break }
            record.report(.busLost(reason: "\(reason)"))
            // A bus that is available but refuses is tried again later.
            if await !connection.isClosed { try? await clock.sleep(for: options.retryWaits.upperBound) }
        }
        let reopening = state.withLock { state in
            state.isOver = true
            return state.reopening
        }
        for outcome in reopening { outcome.resume(throwing: BlueZError.notScanning(adapter)) }
    }

    /// Gives the step to the current session; to reopen, closes its connection, and the next session answers.
    func recover(by step: RecoveryStep) async throws {
        try await withCheckedThrowingContinuation { outcome in
            let (isTaken, previous) = state.withLock { state in
                guard step == .reopen, !state.isOver else {
                    return (state.events?.post(.recover(step, outcome)) ?? false, nil as DBusConnection?)
                }
                state.reopening.append(outcome)
                return (true, state.connection)
            }
            guard isTaken else { return outcome.resume(throwing: BlueZError.adapterAbsent(adapter)) }
            // The outcome is awaited in the next session, unless there is none yet.
            if let previous { Task { await previous.close() } }
        }
    }
}
