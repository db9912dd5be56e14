import CPostgreSQL
import Syntax

/// How the rows of a statement are fetched.
package enum Fetching: Sendable {
    /// The result is complete before the first row is visited: the visitor may use the connection.
    case whole
    /// Rows are visited as they arrive, so a result of any length needs little memory. The visitor must not use the
    /// connection. After it stops, the remaining rows are read and dropped.
    case rowByRow
}

extension Connection {
    /// Runs a statement and passes its rows until the visitor returns false.
    ///
    /// - Parameter within: the time for the statement, or between two rows if they are fetched one by one;
    ///   ``Deadlines/roundTrip`` by default.
    /// - Returns: the number of rows that the statement changed, or returned if it is a query.
    /// - Throws: ``PostgreSQLError``, and what the visitor throws.
    @discardableResult
    package func visit(
        _ sql: String, _ parameters: [Parameter] = [], _ fetching: Fetching = .whole, within: Duration? = nil,
        _ visitor: (Row) throws -> Bool
    ) throws -> Int {
        let prepared = try prepare([sql], until: deadline(within))[0]
        let encoded = try EncodedParameters(parameters, types: prepared.types)
        let mayCommit = mayCommit(sql)
        link.notices.clear()
        switch fetching {
        case .whole:
            // The visitor is called outside, since it may use the connection.
            let results = try forgettingStale(sql) {
                try roundTrip(mayCommit: mayCommit) {
                    try send(prepared, encoded)
                    return try onlyResult(mayCommit: mayCommit, until: deadline(within))
                }
            }
            for row in 0..<results.count {
                guard try visitor(results[row]) else { break }
            }
            return results.changes
        case .rowByRow:
            isFetching = true
            defer { isFetching = false }
            return try forgettingStale(sql) {
                try roundTrip(mayCommit: mayCommit) {
                    try send(prepared, encoded)
                    try link.send { PQsetSingleRowMode($0) }
                    return try visitRows(mayCommit: mayCommit, within: within, visitor)
                }
            }
        }
    }

    /// Runs a statement and drops its rows; returns the number of rows that it changed.
    @discardableResult
    package func run(_ sql: String, _ parameters: [Parameter] = [], within: Duration? = nil) throws -> Int {
        try visit(sql, parameters, within: within) { _ in false }
    }

    /// The integer in the first column of the first row; nil if there is none.
    package func integer(_ sql: String, _ parameters: [Parameter] = []) throws -> Int64? {
        var integer: Int64?
        try visit(sql, parameters) { row in
            integer = row.integer(0)
            return false
        }
        return integer
    }

    /// Runs statements without parameters, separated by semicolons, as one simple query; for schemas and settings.
    package func runScript(_ sql: String, within: Duration? = nil) throws {
        // The END of a function’s body also counts, which does no harm.
        let words = sql.split { !$0.isLetter }.lazy.map { $0.uppercased() }
        let commits = words.contains("COMMIT") || words.contains("END")
        try simple(sql, mayCommit: commits || transactionStatus == .idle, within: within)
    }

    /// Sends text without preparing it; returns the last result's command tag, such as `COMMIT`.
    @discardableResult
    func simple(_ sql: String, mayCommit: Bool, within: Duration?) throws -> String {
        try checkFree()
        guard !sql.utf8.contains(0) else { throw PostgreSQLError.invalidParameter("a statement contains U+0000") }
        link.notices.clear()
        let end = deadline(within)
        let results = try roundTrip(mayCommit: mayCommit) {
            try link.send { PQsendQuery($0, sql) }
            try link.flush(until: end)
            return try onlyResult(mayCommit: mayCommit, until: end)
        }
        return results.tag
    }

    /// Whether the server may have committed if the reply to the statement is lost: the statement is a commit, or
    /// commits by itself because no transaction is open.
    func mayCommit(_ sql: String) -> Bool {
        isCommit(sql) || (transactionStatus == .idle && !["BEGIN", "START"].contains(firstWord(sql)))
    }

    /// Whether the statement ends a transaction and keeps its changes.
    func isCommit(_ sql: String) -> Bool { ["COMMIT", "END"].contains(firstWord(sql)) }

    /// The first word in capitals.
    private func firstWord(_ sql: String) -> String {
        sql.drop { $0.isWhitespace }.prefix { $0.isLetter }.uppercased()
    }

    /// Queues a prepared statement with its parameters.
    private func send(_ prepared: StatementCache.Prepared, _ encoded: EncodedParameters) throws {
        try link.send { pointer in
            encoded.withPointers { count, values, lengths, formats in
                PQsendQueryPrepared(pointer, prepared.name, count, values, lengths, formats, 1)
            }
        }
    }

    /// Reads to the end of the statement. The first error counts, or else the last result.
    private func onlyResult(mayCommit: Bool, until end: ContinuousClock.Instant) throws -> Results {
        try link.flush(until: end)
        var last: Results?
        while let results = try link.next(after: last, until: end) {
            try refuseCopy(results)
            if last?.isError != true { last = results }
        }
        guard let last else { throw Link.Lost(message: "the server sent no result") }
        try check(last, mayCommit: mayCommit)
        try checkWarnings(mayCommit: mayCommit)
        return last
    }

    /// COPY needs functions that are not called here; the connection would never stop waiting for data.
    func refuseCopy(_ results: Results) throws {
        if [PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH].contains(results.status) {
            throw Link.Lost(message: "COPY is not supported")
        }
    }

    /// The server replies to a commit with a warning if it stopped waiting for its standby: the commit may yet
    /// disappear. The warning's class is 57 (“operator intervention”), or it has no specific SQLSTATE.
    ///
    /// - Throws: ``PostgreSQLError`` of the kind `inDoubt`, after closing the connection.
    func checkWarnings(mayCommit: Bool) throws {
        let warning = link.notices.warnings.first { $0 == SQLState.warning || $0.begins(with: "57") }
        guard mayCommit, let warning else { return }
        link.close()
        throw PostgreSQLError(.inDoubt, state: warning, "the server committed with a warning")
    }

    /// Passes the rows as they arrive, and reads to the end of the statement. The visitor's error is thrown only then, so
    /// that the connection can be used again.
    private func visitRows(
        mayCommit: Bool, within: Duration?, _ visitor: (Row) throws -> Bool
    ) throws -> Int {
        try link.flush(until: deadline(within))
        var count = 0
        var failure: (any Error)?
        var isVisiting = true
        // All rows that are dropped share one deadline.
        var limit = deadline(within)
        var last: Results?
        while let results = try link.next(after: last, until: limit) {
            try refuseCopy(results)
            guard results.status == PGRES_SINGLE_TUPLE else {
                if last?.isError != true { last = results }
                continue
            }
            guard isVisiting else { continue }
            count += 1
            do {
                isVisiting = try visitor(results[0])
            } catch {
                isVisiting = false
                failure = error
            }
            limit = deadline(within)
        }
        if let failure { throw failure }
        guard let last else { throw Link.Lost(message: "the server sent no result") }
        try check(last, mayCommit: mayCommit)
        try checkWarnings(mayCommit: mayCommit)
        return max(count, last.changes)
    }

    /// Forgets the statement if the server cannot run it any longer.
    func forgettingStale<Result>(_ sql: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as PostgreSQLError {
            if error.isStaleStatement { cache.forget(sql) }
            throw error
        }
    }
}
