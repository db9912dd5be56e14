import Dispatch
import Foundation
import Synchronization

/// Repeatedly queries each host for its timeline, on a separate connection and thread.
///
/// An old primary may keep running after its standby was promoted, and respond as long as its connections last. Without
/// a watch, a process would leave it only when one of its connections breaks. The hosts' replies go into ``Timelines``;
/// connections to an older primary are then closed before their next use. If no host has confirmed the known primary
/// for ``limit``, every connection is closed, and the next one asks all hosts.
package final class PrimaryWatch: Sendable {
    /// The time between two requests to a host.
    private static let pause = Duration.seconds(2)
    /// How long a reply is valid.
    private static let limit = Duration.seconds(8)

    private struct State {
        var isStopping = false
        /// The number of threads.
        var running: Int
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// What the threads and the handle share, so that the handle's end can stop the threads.
    private final class Shared: Sendable {
        let state: Mutex<State>
        let stops = DispatchSemaphore(value: 0)

        init(threads: Int) { state = Mutex(State(running: threads)) }

        var isStopping: Bool { state.withLock(\.isStopping) }

        /// Makes all threads end.
        func stop() {
            let running = state.withLock { state in
                defer { state.isStopping = true }
                return state.isStopping ? 0 : state.running
            }
            for _ in 0..<running { stops.signal() }
        }

        /// A thread has ended.
        func noteEnd() {
            let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                state.running -= 1
                guard state.running == 0 else { return [] }
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }
    }

    private let shared: Shared

    /// - Parameter timelines: shared by the pools and listeners that depend on this watch.
    package init(_ settings: ConnectionSettings, deadlines: Deadlines = Deadlines(), timelines: Timelines) {
        timelines.expire(after: Self.limit)
        let shared = Shared(threads: settings.hosts.count)
        self.shared = shared
        // A host whose name cannot be looked up must not keep the others waiting.
        for (number, host) in settings.hosts.enumerated() {
            let thread = Thread {
                Self.watch(host, settings, deadlines, timelines, shared)
                shared.noteEnd()
            }
            thread.name = "postgresql-watch-\(number + 1)"
            thread.start()
        }
    }

    deinit { shared.stop() }

    /// Returns when the connections are closed. An attempt to connect delays it by its deadline, and by the look-up of the
    /// host’s name, which has none.
    package func stop() async {
        shared.stop()
        await withCheckedContinuation { continuation in
            let hasEnded = shared.state.withLock { state in
                if state.running > 0 { state.waiters.append(continuation) }
                return state.running == 0
            }
            if hasEnded { continuation.resume() }
        }
    }

    /// Queries one host until the watch stops, on the same connection as long as that lasts.
    private static func watch(
        _ host: ConnectionSettings.Host, _ settings: ConnectionSettings, _ deadlines: Deadlines,
        _ timelines: Timelines, _ shared: Shared
    ) {
        var last: Candidate?
        while !shared.isStopping {
            let begin = ContinuousClock.now
            var candidate = last?.askAgain() == true ? last : nil
            // Without memory for a connection, the next round tries again.
            if candidate == nil { candidate = try? Candidate(host, settings) }
            if let candidate { PrimaryChoice.ask([candidate], until: begin + deadlines.connect) }
            if let timeline = candidate?.timeline { _ = timelines.accept(timeline, askedAt: begin) }
            last = candidate
            _ = shared.stops.wait(timeout: .now() + .milliseconds(pause.milliseconds))
        }
    }
}
