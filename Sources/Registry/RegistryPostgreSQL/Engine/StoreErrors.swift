import PostgreSQL
import RegistryRules
import RegistrySQL
import Syntax

/// Translates errors of the database into those that callers get.
enum StoreErrors {
    /// Errors of the connection or of the server become ``DomainError/storageUnavailable(_:)`` for the operator or
    /// ``DomainError/overloaded``; all others are unchanged.
    static func translating<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as PostgreSQLError {
            throw translated(error)
        }
    }

    /// Does the same for a body that only reads. A statement without a transaction may also have been a change, as far
    /// as the connection knows.
    static func translatingReads<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await translating(body)
        } catch DomainError.outcomeUnknown(let reason) {
            throw DomainError.storageUnavailable(reason)
        }
    }

    /// The error that a caller gets.
    private static func translated(_ error: PostgreSQLError) -> any Error {
        switch error.kind {
        case .overloaded: DomainError.overloaded
        case .connectionLost, .unavailable: DomainError.storageUnavailable("\(error)")
        // The change is not repeated here: it may have been stored, and may yet disappear.
        case .inDoubt: DomainError.outcomeUnknown("\(error); \(hint)")
        case .refused where error.isLockTimeout: DomainError.storageUnavailable("\(error); \(hint)")
        // The group collided with others each time that it was tried.
        case .refused where error.isRetryable: DomainError.overloaded
        case .refused where isServerFailure(error): DomainError.storageUnavailable("\(error)")
        case .refused, .invalidParameter, .misuse: error
        }
    }

    /// The usual reason for a change that is not confirmed, for the operator.
    private static let hint = "if it repeats: is a synchronous standby connected (pg_stat_replication)?"

    /// Out of resources (class 53), ended or not ready (57), failed (58, XX), read-only, a right was taken away, or this
    /// machine's clock is wrong: only the operator can fix it.
    private static func isServerFailure(_ error: PostgreSQLError) -> Bool {
        guard let state = error.state else { return false }
        return [SQLState.readOnlySQLTransaction, SQLState.insufficientPrivilege, Schema.differentClock].contains(state)
            || ["53", "57", "58", "XX"].contains { state.begins(with: $0) }
    }
}
