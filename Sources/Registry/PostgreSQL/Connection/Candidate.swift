import CPostgreSQL
import Glibc

/// A host that may be the primary: this connects to it, and then queries it.
final class Candidate {
    private enum Step {
        /// libpq waits for the socket to become readable or writable.
        case connecting(PostgresPollingStatusType)
        /// The query was sent; its first result, once it has arrived.
        case asking(answer: Results?)
        case primary(timeline: UInt32)
        case standby
        /// The connection failed, and is closed.
        case out(reason: String)
    }

    let host: ConnectionSettings.Host
    private var pointer: OpaquePointer?
    private var step = Step.connecting(PGRES_POLLING_WRITING)
    /// Why the server refuses the login; nil if it has not refused.
    private(set) var problem: LoginProblem?

    /// The timeline is the first 8 digits of the name of a log file, which a standby does not know. The settings
    /// override those that libpq takes from `PGTZ`, `PGDATESTYLE` and `PGGEQO`.
    private static let question = """
        SELECT CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END, \
        set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO, MDY', false), \
        set_config('geqo', 'on', false)
        """

    /// Begins to connect to a host.
    ///
    /// - Throws: ``PostgreSQLError`` if that is impossible; a refusal of the server is an outcome.
    init(_ host: ConnectionSettings.Host, _ settings: ConnectionSettings) throws {
        self.host = host
        pointer = PQconnectStart(try settings.connectionString(for: host))
        guard let pointer else { throw PostgreSQLError.unavailable("out of memory") }
        PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)
        if PQstatus(pointer) == CONNECTION_BAD { failToConnect(pointer) }
    }

    deinit { if let pointer { PQfinish(pointer) } }

    /// Whether the host has neither replied nor failed.
    var isWaiting: Bool {
        switch step {
        case .connecting, .asking: true
        case .primary, .standby, .out: false
        }
    }

    /// The timeline, if this is a primary.
    var timeline: UInt32? {
        if case .primary(let timeline) = step { timeline } else { nil }
    }

    /// The host with its reply, for an error.
    var summary: String {
        switch step {
        case .connecting, .asking: "\(host.summary): no answer"
        case .primary(let timeline): "\(host.summary): a primary with timeline \(timeline)"
        case .standby: "\(host.summary): a standby"
        case .out(let reason): "\(host.summary): \(reason)"
        }
    }

    /// The descriptor may change with each call of ``proceed()``.
    var socket: CInt { pointer.map { PQsocket($0) } ?? -1 }

    /// What poll(2) must wait for.
    var events: Int16 {
        if case .connecting(PGRES_POLLING_WRITING) = step { Int16(POLLOUT) } else { Int16(POLLIN) }
    }

    /// Gives up on the host.
    func fail(_ reason: String) {
        step = .out(reason: reason)
        if let pointer { PQfinish(pointer) }
        pointer = nil
    }

    private func failToConnect(_ pointer: OpaquePointer) {
        let failure = ConnectionFailure(pointer)
        problem = failure.problem
        fail(failure.message)
    }

    /// Hands over the connection.
    func take() -> OpaquePointer? {
        defer { pointer = nil }
        return pointer
    }

    /// Continues after the socket has become ready.
    func proceed() {
        guard let pointer else { return }
        switch step {
        case .connecting:
            let status = PQconnectPoll(pointer)
            switch status {
            case PGRES_POLLING_OK:
                PQsetErrorVerbosity(pointer, PQERRORS_DEFAULT)
                ask(pointer)
            case PGRES_POLLING_FAILED: failToConnect(pointer)
            default: step = .connecting(status)
            }
        case .asking(var answer):
            guard PQconsumeInput(pointer) == 1 else { return fail(Link.message(pointer)) }
            // PQgetResult() would wait if libpq were busy.
            while PQisBusy(pointer) == 0 {
                guard let results = PQgetResult(pointer).map(Results.init) else { return read(answer) }
                answer = answer ?? results
            }
            step = .asking(answer: answer)
        case .primary, .standby, .out: return
        }
    }

    /// Sends the query.
    private func ask(_ pointer: OpaquePointer) {
        guard PQsendQuery(pointer, Self.question) == 1 else { return fail(Link.message(pointer)) }
        step = .asking(answer: nil)
    }

    /// Queries the host again on the same connection, which survives a promotion; false if the connection is lost.
    func askAgain() -> Bool {
        guard let pointer, !isWaiting else { return false }
        ask(pointer)
        return isWaiting
    }

    /// Reads the reply to the query.
    private func read(_ answer: Results?) {
        guard let answer, answer.status == PGRES_TUPLES_OK else {
            return fail(PostgreSQLError.field(answer?.pointer, findmybike_diag_message) ?? "no answer")
        }
        let text = String(decoding: answer[0].blob(0), as: UTF8.self)
        guard !text.isEmpty else {
            step = .standby
            return
        }
        guard let timeline = UInt32(text, radix: 16) else { return fail("its timeline cannot be read") }
        step = .primary(timeline: timeline)
    }
}
