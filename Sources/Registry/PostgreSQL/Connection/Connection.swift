import CPostgreSQL
import Glibc

/// A connection to the primary server. All calls block; use it on one thread at a time.
///
/// Statements are prepared once and kept, parameters and results are binary. If a deadline passes, the connection is
/// closed. A statement is never cancelled: the server replies to a cancelled commit that waits for its standby with
/// success and a warning.
package final class Connection {
    /// The state of the transaction (PQtransactionStatus).
    package enum TransactionStatus: Sendable, Hashable {
        case idle, active, inTransaction, failed, unknown
    }

    let link: Link
    /// The timeline of the server when the connection was opened. It grows with each promotion.
    package let timeline: UInt32
    private let timelines: Timelines
    /// The host in the settings.
    package let host: ConnectionSettings.Host
    /// How long the calls may take.
    package var deadlines: Deadlines
    var cache: StatementCache
    /// When the prepared statements are planned again.
    var plansEnd = ContinuousClock.now
    /// Whether a visitor is running whose rows are fetched one by one.
    var isFetching = false

    /// Connects to all hosts, and keeps the connection to the primary: of the servers that are not standbys, the one
    /// with the highest timeline.
    ///
    /// - Parameters:
    ///   - timelines: what is known about earlier primaries, none of which is used again.
    ///   - statementLimit: the maximum number of prepared statements.
    /// - Throws: ``PostgreSQLError`` of the kind `unavailable`.
    package static func open(
        _ settings: ConnectionSettings, _ deadlines: Deadlines = Deadlines(), timelines: Timelines,
        statementLimit: Int = 1024
    ) throws -> Connection {
        let primary = try PrimaryChoice.connect(settings, within: deadlines.connect, timelines: timelines)
        return Connection(primary, deadlines, timelines, statementLimit: statementLimit)
    }

    private init(
        _ primary: PrimaryChoice.Primary, _ deadlines: Deadlines, _ timelines: Timelines, statementLimit: Int
    ) {
        link = Link(primary.pointer)
        timeline = primary.timeline
        self.timelines = timelines
        host = primary.host
        self.deadlines = deadlines
        cache = StatementCache(limit: statementLimit)
    }

    /// False after a loss or a passed deadline; then all calls throw.
    package var isOpen: Bool { link.isOpen }

    /// Whether it is open, no later primary is known, and the hosts were queried recently (``PrimaryWatch``). Code that
    /// keeps a connection for many statements must check this between them: a primary that was replaced may still
    /// respond.
    package var isCurrent: Bool { isOpen && timelines.isCurrent(timeline) }

    /// Closes the connection without waiting for the server.
    package func close() { link.close() }

    package var transactionStatus: TransactionStatus {
        guard let pointer = link.pointer else { return .unknown }
        return switch PQtransactionStatus(pointer) {
        case PQTRANS_IDLE: .idle
        case PQTRANS_ACTIVE: .active
        case PQTRANS_INTRANS: .inTransaction
        case PQTRANS_INERROR: .failed
        default: .unknown
        }
    }

    /// The number of the server's process, as in `pg_stat_activity`.
    package var serverProcess: Int32 { link.pointer.map { PQbackendPID($0) } ?? 0 }

    /// Whether TLS protects the connection.
    package var isEncrypted: Bool { link.pointer.map { PQsslInUse($0) != 0 } ?? false }

    /// Whether the server has left the connection open, judging only by data that has arrived. If not, closes it.
    func isAlive() -> Bool {
        link.notices.clear()
        while let pointer = link.pointer, Link.poll(PQsocket(pointer), Link.readable, until: .now) != 0 {
            do {
                try link.consume()
            } catch {
                link.close()
                return false
            }
            // Parses the server's farewell, which arrives as a notice.
            guard PQisBusy(pointer) == 0, link.notices.warnings.isEmpty else {
                link.close()
                return false
            }
        }
        return isOpen
    }
}

extension Connection {
    /// Runs the body, which sends something and reads its results. If the connection is lost, closes it.
    ///
    /// - Parameter mayCommit: whether the server may have committed something if its reply is lost.
    func roundTrip<Result>(mayCommit: Bool, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let lost as Link.Lost {
            link.close()
            throw PostgreSQLError(mayCommit ? .inDoubt : .connectionLost, lost.message)
        }
    }

    /// Throws the error of a statement that failed, and closes the connection unless the server only refused it.
    ///
    /// - Throws: ``PostgreSQLError``; ``Link/Lost`` never.
    func check(_ results: Results, mayCommit: Bool) throws {
        guard results.isError else { return }
        let error = PostgreSQLError(result: results.pointer)
            .afterSending(mayCommit: mayCommit, isOpen: link.isOpen)
        if error.kind != .refused { link.close() }
        throw error
    }

    /// Refuses a call while the rows of a statement are fetched one by one.
    func checkFree() throws {
        guard !isFetching else {
            throw PostgreSQLError(.misuse, "a visitor of rows that are fetched one by one used the connection")
        }
    }

    /// When a call must end that may take this long; nil means ``Deadlines/roundTrip``.
    func deadline(_ within: Duration?) -> ContinuousClock.Instant { .now + (within ?? deadlines.roundTrip) }
}

/// How long the database may take; see ``Connection`` for what happens when a deadline passes.
package struct Deadlines: Sendable, Hashable {
    /// For connecting to all hosts and asking which one is the primary.
    package var connect: Duration
    /// For a statement, a pipeline or a commit; between two rows if they are fetched one by one.
    package var roundTrip: Duration

    package init(connect: Duration = .seconds(5), roundTrip: Duration = .seconds(5)) {
        self.connect = connect
        self.roundTrip = roundTrip
    }
}
