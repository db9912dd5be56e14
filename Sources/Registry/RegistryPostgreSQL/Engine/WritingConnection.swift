import PostgreSQL
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The connection that commits groups of changes.
struct WritingConnection: CommitEngine {
    let connection: Connection
    let writer: GroupWriter

    /// Makes the groups of all processes take turns: the head of the audit is locked from the beginning of a group to
    /// the end of its commit.
    ///
    /// So under READ COMMITTED each group sees everything that was committed before it began, and nothing changes
    /// between its statements. This keeps the audit's chain, the reports' revisions, the versions of the missing list,
    /// and all checks before writing as correct as with one process. The rest of the engine does not depend on it.
    static let takeTurn = "SELECT length FROM audit_head FOR UPDATE"

    /// Refuses the group if this machine's clock differs from the database's: a process whose clock has jumped ahead
    /// would end all reports, and delete their sightings, for all processes.
    private var compareClock: String { "SELECT compare_clock(\(writer.clock.now.milliseconds))" }

    func commit(_ body: (PostgreSQLTransaction) throws -> Void) throws {
        do {
            try writer.durability.check(connection)
            // One round trip. The clock is compared first, since the wait for a turn may take seconds.
            try connection.begin("ISOLATION LEVEL READ COMMITTED READ WRITE; \(compareClock); \(Self.takeTurn)")
            try body(PostgreSQLTransaction(connection, writer.texts))
        } catch {
            // The process that has the turn may be waiting for a standby that was promoted: the next connection asks
            // all hosts.
            if (error as? PostgreSQLError)?.isLockTimeout == true { connection.close() }
            // Without a rollback the connection is closed, which also ends the transaction.
            do { try connection.rollBack() } catch { connection.close() }
            throw error
        }
        do {
            try connection.commit()
        } catch {
            do { try connection.rollBack() } catch { connection.close() }
            throw error
        }
    }

    func finish(_ db: PostgreSQLTransaction) throws {
        if try MissingListJournal(db).advance() { db.news.missingList = true }
        writer.note(hasChanged: db.hasChanged)
    }

    /// If the turn does not come in time, the group gives up: the holder of the turn waits for its standby or hangs,
    /// and callers need a response.
    func isCollision(_ error: any Error) -> Bool {
        guard let error = error as? PostgreSQLError else { return false }
        return error.isRetryable && !error.isLockTimeout
    }

    func note(_ failure: (any Error)?, _ news: StoreNews) { writer.note(failure, news) }
}
