import Foundation
import GRDB
import GRDBSQLite
package import RegistrySQL

// Statements are prepared once per connection and kept. They use SQLite's C interface (https://sqlite.org/cintro.html).
extension Database: Transaction {
    package var dialect: Dialect { .sqlite }

    package func insert(_ sql: String, _ parameters: Parameters) throws -> Int64 {
        try run(sql, parameters)
        return lastInsertedRowID
    }

    package func visit(
        _ sql: String, _ parameters: Parameters, _ visitor: (any CurrentRow) throws -> Bool
    ) throws {
        let statement = try cachedStatement(sql: sql)
        let run = StatementRun(statement: statement, pointer: statement.sqliteStatement, connection: sqliteConnection)
        // The result code is that of the last step, which has already thrown it.
        defer { sqlite3_reset(run.pointer) }
        try run.bind(parameters.values)
        let row: any CurrentRow = run
        while try run.step(), try visitor(row) {}
    }
}

/// A running statement, and its current row.
private struct StatementRun: CurrentRow {
    let statement: Statement
    let pointer: SQLiteStatement
    let connection: SQLiteConnection?

    func bind(_ values: ArraySlice<(any Bindable)?>) throws {
        guard sqlite3_bind_parameter_count(pointer) == values.count else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE, message: "\(values.count) arguments", sql: statement.sql)
        }
        let binder: any ParameterBinder = self
        for (index, value) in values.enumerated() {
            guard let value else {
                try check(sqlite3_bind_null(pointer, CInt(index) + 1))
                continue
            }
            try value.bind(to: binder, at: index + 1)
        }
    }

    /// Advances to the next row; false after the last row.
    func step() throws -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw error(code)
        }
    }

    func error(_ code: CInt) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code), message: sqlite3_errmsg(connection).map { String(cString: $0) },
            sql: statement.sql
        )
    }

    var row: StoredRow {
        let values = (0..<Int(sqlite3_column_count(pointer))).map(value)
        return StoredRow(names: statement.columnNames, values: values)
    }

    private func value(_ column: Int) -> StoredValue {
        switch sqlite3_column_type(pointer, CInt(column)) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .double(double(column))
        case SQLITE_TEXT: .text(text(column))
        default: .blob(Data(blob(column)))
        }
    }

    func name(of column: Int) -> String {
        sqlite3_column_name(pointer, CInt(column)).map { String(cString: $0) } ?? ""
    }

    func isNull(_ column: Int) -> Bool { sqlite3_column_type(pointer, CInt(column)) == SQLITE_NULL }
    func integer(_ column: Int) -> Int64 { sqlite3_column_int64(pointer, CInt(column)) }
    func double(_ column: Int) -> Double { sqlite3_column_double(pointer, CInt(column)) }

    /// The whole text, even if it contains U+0000.
    func text(_ column: Int) -> String {
        guard let start = sqlite3_column_text(pointer, CInt(column)) else { return "" }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, CInt(column))))
        return String(decoding: bytes, as: UTF8.self)
    }

    func blob(_ column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: sqlite3_column_blob(pointer, CInt(column)), count: Int(sqlite3_column_bytes(pointer, CInt(column)))
        )
    }
}

extension StatementRun: ParameterBinder {
    func bind(_ integer: Int64, at index: Int) throws { try check(sqlite3_bind_int64(pointer, CInt(index), integer)) }
    func bind(_ double: Double, at index: Int) throws { try check(sqlite3_bind_double(pointer, CInt(index), double)) }

    func bind(_ text: String, at index: Int) throws {
        try check(sqlite3_bind_text(pointer, CInt(index), text, CInt(text.utf8.count), copied))
    }

    func bind(blob: UnsafeRawBufferPointer, at index: Int) throws {
        guard let start = blob.baseAddress, !blob.isEmpty else {
            // An empty buffer may have no address, which SQLite would interpret as NULL.
            return try check(sqlite3_bind_zeroblob(pointer, CInt(index), 0))
        }
        try check(sqlite3_bind_blob(pointer, CInt(index), start, CInt(blob.count), copied))
    }

    func bind(_ array: ParameterArray, at index: Int) throws {
        throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "SQLite has no arrays", sql: statement.sql)
    }

    private func check(_ code: CInt) throws {
        guard code == SQLITE_OK else { throw error(code) }
    }
}

/// SQLITE_TRANSIENT, a cast that Swift does not import: “the object is to be copied prior to the return from
/// sqlite3_bind_*()” (https://sqlite.org/c3ref/bind_blob.html). SQLite compares this pointer and never calls it.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
