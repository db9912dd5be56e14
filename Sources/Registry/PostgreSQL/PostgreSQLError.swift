import CPostgreSQL
import Syntax

/// An error of the database or of the connection to it. It contains no value of a parameter or row.
package struct PostgreSQLError: Error, Hashable, Sendable {
    /// What the error means for what was sent.
    package enum Kind: Sendable, Hashable {
        /// The server replied with an error: the statement has had no effect.
        case refused
        /// The connection was lost, or a deadline passed; nothing in progress has been committed.
        case connectionLost
        /// The connection was lost, or a deadline passed, after a commit was sent: it may have been done, and it may
        /// yet disappear.
        case inDoubt
        /// No primary can be reached.
        case unavailable
        /// Too many callers wait for a connection, or this one has waited for too long.
        case overloaded
        /// A parameter does not fit the statement; nothing was sent.
        case invalidParameter
        /// The caller broke a rule of this interface.
        case misuse
    }

    package let kind: Kind
    /// The SQLSTATE, if the server sent one (https://www.postgresql.org/docs/15/errcodes-appendix.html).
    package let state: String?
    package let message: String
    /// The name of the constraint that was violated; nil if none was.
    package let constraint: String?
    /// The index of the statement in its pipeline; nil outside one.
    package var statement: Int?
    /// Whether a prepared statement no longer fits the tables, because the schema has changed. It has been forgotten.
    package let isStaleStatement: Bool
    /// The reason why a server refuses the login, if that is why no primary can be reached.
    package let loginProblem: LoginProblem?

    init(
        _ kind: Kind, state: String? = nil, _ message: String, constraint: String? = nil,
        isStaleStatement: Bool = false, loginProblem: LoginProblem? = nil
    ) {
        self.kind = kind
        self.state = state
        self.message = message
        self.constraint = constraint
        self.isStaleStatement = isStaleStatement
        self.loginProblem = loginProblem
    }

    static func unavailable(_ message: String, _ problem: LoginProblem? = nil) -> Self {
        Self(.unavailable, message, loginProblem: problem)
    }
    static func invalidParameter(_ message: String) -> Self { Self(.invalidParameter, message) }

    /// Whether repeating the whole transaction may succeed: it was rolled back because of others, or for a plan that the
    /// schema's change made invalid. A unique violation (23505) is not among them: only the caller knows whether it comes
    /// from a race.
    package var isRetryable: Bool {
        kind == .refused && (Self.collisions.contains(state) || isStaleStatement)
    }

    private static let collisions: [String?] = [
        SQLState.serializationFailure, SQLState.deadlockDetected, SQLState.lockNotAvailable,
    ]

    /// Another transaction held a lock for longer than `lock_timeout`.
    package var isLockTimeout: Bool { kind == .refused && state == SQLState.lockNotAvailable }

    /// The user lacks a right.
    package var isDenied: Bool { kind == .refused && state == SQLState.insufficientPrivilege }
}

extension PostgreSQLError: CustomStringConvertible {
    package var description: String {
        let detail = [state, constraint].compactMap(\.self).joined(separator: ", ")
        return detail.isEmpty ? message : "\(message) (\(detail))"
    }
}

extension PostgreSQLError {
    /// The error that a result contains.
    ///
    /// Messages of class 22 (“data exception”) quote the value, so they are replaced.
    init(result: OpaquePointer?) {
        let state = Self.field(result, findmybike_diag_state)
        let isValue = state?.begins(with: "22") == true
        let message =
            isValue ? "a value is invalid for its type" : Self.field(result, findmybike_diag_message) ?? "no message"
        self.init(
            .refused, state: state, message, constraint: Self.field(result, findmybike_diag_constraint),
            isStaleStatement: state == SQLState.invalidSQLStatementName
                || Self.field(result, findmybike_diag_function) == "RevalidateCachedQuery"
        )
    }

    /// A field of a result’s error; nil if it has none.
    static func field(_ result: OpaquePointer?, _ field: CInt) -> String? {
        PQresultErrorField(result, field).map { String(cString: $0) }
    }

    /// The same error, if it ended a statement that may have committed, or ended the connection.
    ///
    /// The server says 57P01 to 57P03 when it ends, and 58 and XX when the machine below it fails; neither says whether
    /// a commit in progress has been done.
    func afterSending(mayCommit: Bool, isOpen: Bool) -> PostgreSQLError {
        // libpq's own errors have no SQLSTATE: then the connection is lost.
        let endsConnection = state.map { $0.begins(with: "57P0") || $0.begins(with: "08") } ?? true
        let isMachineFailure = state.map { $0.begins(with: "58") || $0.begins(with: "XX") } ?? true
        let isUnclear = endsConnection || isMachineFailure || !isOpen
        if mayCommit, isUnclear { return PostgreSQLError(.inDoubt, state: state, message) }
        if endsConnection || !isOpen { return PostgreSQLError(.connectionLost, state: state, message) }
        return self
    }
}

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
