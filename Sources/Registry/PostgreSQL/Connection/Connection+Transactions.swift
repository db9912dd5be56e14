extension Connection {
    /// Begins a transaction; ``commit(within:)`` or ``rollBack()`` must end it.
    ///
    /// - Parameter mode: the text after `BEGIN`, such as `ISOLATION LEVEL REPEATABLE READ READ ONLY`.
    package func begin(_ mode: String = "") throws {
        try simple("BEGIN " + mode, mayCommit: false, within: nil)
    }

    /// Commits the open transaction.
    ///
    /// - Parameter within: how long the server may take, since a commit may wait for a standby; nil means
    ///   ``Deadlines/roundTrip``.
    /// - Throws: ``PostgreSQLError``: of the kind `misuse` if no transaction is open, and `inDoubt` if the reply is lost,
    ///   late, or has a warning. After any other error the transaction has certainly not been committed.
    package func commit(within: Duration? = nil) throws {
        guard transactionStatus != .idle else { throw PostgreSQLError(.misuse, "no transaction is open") }
        let tag = try simple("COMMIT", mayCommit: true, within: within)
        // For a transaction in which a statement failed, the server replies ROLLBACK, and no error.
        guard tag == "COMMIT" else {
            throw PostgreSQLError(
                .refused, state: SQLState.inFailedSQLTransaction, "the transaction had failed, and was rolled back")
        }
    }

    /// Ends an open transaction, if there is one.
    package func rollBack() throws {
        guard isOpen, transactionStatus != .idle else { return }
        try simple("ROLLBACK", mayCommit: false, within: nil)
    }

    /// Runs the body in a transaction; rolls it back if the body throws, and throws the body's error.
    ///
    /// - Parameter mode: as for ``begin(_:)``.
    package func transaction<Result>(_ mode: String = "", _ body: (Connection) throws -> Result) throws -> Result {
        try begin(mode)
        let result: Result
        do {
            result = try body(self)
        } catch {
            // The body's error matters: without a rollback the connection is closed, which also ends the transaction.
            do { try rollBack() } catch { close() }
            throw error
        }
        try commit()
        return result
    }
}
