import CPostgreSQL

/// The rows of one statement, in memory until the last reference goes.
package final class Results {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQclear(pointer) }

    /// The number of rows.
    package var count: Int { Int(PQntuples(pointer)) }

    /// A row by its index, from 0.
    package subscript(_ row: Int) -> Row { Row(self, CInt(clamping: row)) }

    package var columnNames: [String] {
        (0..<PQnfields(pointer)).map { column in PQfname(pointer, column).map { String(cString: $0) } ?? "" }
    }

    /// The number of rows that the statement changed, or returned if it is a query.
    package var changes: Int {
        PQcmdTuples(pointer).flatMap { Int(String(cString: $0)) } ?? 0
    }

    var status: ExecStatusType { PQresultStatus(pointer) }

    var isError: Bool { status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE || status == PGRES_NONFATAL_ERROR }

    /// `COMMIT`, `INSERT 0 1` …
    var tag: String { PQcmdStatus(pointer).map { String(cString: $0) } ?? "" }
}
