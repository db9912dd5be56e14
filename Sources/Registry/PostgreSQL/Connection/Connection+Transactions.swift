extension Connection {
    /// - Parameter mode: the text after `BEGIN`, such as `ISOLATION LEVEL REPEATABLE READ READ ONLY`.
    package func begin(_ mode: String = "") throws {
        try simple("BEGIN " + mode, mayCommit: false, within: nil)
    }

    /// - Throws: ``PostgreSQLError``: of the kind `inDoubt` if the reply is lost, late, or has a warning. After any
    ///   other error the transaction has certainly not been committed.
    package func commit(within: Duration? = nil) throws {
        guard transactionStatus != .idle else { throw PostgreSQLError(.misuse, "no transaction is open") }
        let tag = try simple("COMMIT", mayCommit: true, within: within)
        // A failed transaction is rolled back, without an error.
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

    /// Runs the body in a transaction; rolls it back if the body throws.
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
