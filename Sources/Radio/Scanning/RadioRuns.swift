import Synchronization

/// One run of a scanner on its radio.
package protocol RadioSession: Actor {
    nonisolated var channel: BatchChannel { get }

    /// Listens until ``stop()`` is called, or until the radio can no longer be used. Called once.
    func run() async

    /// Ends the run, even if it has not begun. The run has ended when ``run()`` returns. May be called repeatedly.
    func stop() async
}

/// The runs of a scanner. Each begins when the previous one has restored the radio, which serves only one run at a
/// time.
package final class RadioRuns<Session: RadioSession>: Sendable {
    private struct Run: Sendable {
        let session: Session
        let work: Task<Void, Never>

        func end() async {
            await session.stop()
            await work.value
        }
    }

    private let current = Mutex<Run?>(nil)

    package init() {}

    /// The session of the newest run.
    package var session: Session? { current.withLock { $0?.session } }

    /// Begins a run, and ends the one before.
    package func begin(_ session: Session) -> LiveBatches {
        let run = current.withLock { current in
            let work = Task { [previous = current] in
                await previous?.end()
                await session.run()
            }
            let run = Run(session: session, work: work)
            current = run
            return run
        }
        return LiveBatches(session.channel) { await run.end() }
    }

    /// Ends the newest run; returns once it has restored the radio.
    package func end() async { await current.withLock(\.self)?.end() }
}
