/// The SQLSTATEs on which calls depend, by their names in PostgreSQL’s manual
/// (https://www.postgresql.org/docs/15/errcodes-appendix.html).
package enum SQLState {
    static let warning = "01000"
    static let inFailedSQLTransaction = "25P02"
    static let invalidSQLStatementName = "26000"
    static let serializationFailure = "40001"
    static let deadlockDetected = "40P01"
    static let lockNotAvailable = "55P03"
    package static let readOnlySQLTransaction = "25006"
    package static let insufficientPrivilege = "42501"
}
