import OperatingSystem
import PostgreSQL
import RegistryRules
import RegistrySQL
import Synchronization

/// Commits groups of changes on the connections of a pool, one after the other.
final class GroupWriter: Sendable {
    private struct State {
        /// Whether the current group has changed any row. Services that look for work often find none.
        var hasChanged = false
        /// Whether the last group could not be stored.
        var hasFailed = false
    }

    let texts: StatementTexts
    let clock: WallClock
    let durability: DurabilityWatch
    /// Woken by each committed group of this process that has changed something.
    let committed = WakeUp()
    private let pool: ConnectionPool
    private let signals: StoreSignals
    private let state = Mutex(State())

    /// - Parameter signals: given for the news of each group.
    init(_ server: PostgreSQLServer, _ pool: ConnectionPool, _ texts: StatementTexts, _ signals: StoreSignals) {
        self.pool = pool
        self.texts = texts
        self.signals = signals
        clock = server.clock
        durability = DurabilityWatch(server)
    }

    /// Whether the last group could not be stored.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// Commits what waits, with another connection after a loss.
    func commit(_ commits: GroupCommit<PostgreSQLTransaction>) async {
        do {
            while try await !pool.use({ connection in
                let engine = WritingConnection(connection: connection, writer: self)
                return commits.commit(on: engine, while: { connection.isCurrent })
            }) {}
        } catch {
            commits.refuse(with: error) { note(error, StoreNews()) }
        }
    }

    /// Notes whether a group has changed any row. A group may be repeated; the last attempt counts.
    func note(hasChanged: Bool) { state.withLock { $0.hasChanged = hasChanged } }

    /// Notes the outcome of a group, and wakes those who do the work that it causes.
    func note(_ failure: (any Error)?, _ news: StoreNews) {
        let hasFailed = failure != nil
        let hasChanged = state.withLock { state in
            defer { state = State(hasFailed: hasFailed) }
            return state.hasChanged
        }
        if hasChanged, !hasFailed { committed.wake() }
        signals.wake(for: news)
    }
}
