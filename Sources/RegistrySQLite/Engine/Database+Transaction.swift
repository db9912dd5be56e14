import Foundation
import GRDB
import GRDBSQLite
import Registry
import RegistryAPI

// Statements are prepared once per connection and kept; they run on SQLite's own interface (https://sqlite.org/cintro.html).
extension Database {
    func row(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
        try stepping(sql, arguments) { try $0.next() ? $0.row : nil }
    }

    func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
        try stepping(sql, arguments) { steps in
            var rows: [Row] = []
            while try steps.next() { rows.append(steps.row) }
            return rows
        }
    }

    /// Reads the columns of each row, one after the other, where names would take longer than the look-up itself.
    func eachColumns(
        _ sql: String, _ arguments: StatementArguments, _ body: (inout Columns) throws -> Void
    ) throws {
        try stepping(sql, arguments) { steps in
            while try steps.next() {
                var columns = Columns(steps.pointer)
                try body(&columns)
            }
        }
    }

    /// The same of the first row.
    func firstColumns<Result>(
        _ sql: String, _ arguments: StatementArguments, _ read: (inout Columns) throws -> Result
    ) throws -> Result? {
        try stepping(sql, arguments) { steps in
            guard try steps.next() else { return nil }
            var columns = Columns(steps.pointer)
            return try read(&columns)
        }
    }

    /// Hands rows on one by one, where they are too many to hold.
    func eachRow(_ sql: String, _ arguments: StatementArguments, _ body: (Row) throws -> Void) throws {
        try stepping(sql, arguments) { steps in
            while try steps.next() { try body(steps.row) }
        }
    }

    func run(_ sql: String, _ arguments: StatementArguments) throws {
        try stepping(sql, arguments) { while try $0.next() {} }
    }

    /// Whether the statement finds a row.
    func exists(_ sql: String, _ arguments: StatementArguments) throws -> Bool {
        try stepping(sql, arguments) { try $0.next() }
    }

    /// The integer in the only column of the first row.
    func integer(_ sql: String, _ arguments: StatementArguments) throws -> Int64? {
        try firstColumns(sql, arguments) { $0.optionalInteger() } ?? nil
    }

    /// The integer key of an owner, which its token has shown to exist.
    func key(of owner: OwnerID) throws -> Int64 {
        guard let key = try integer("SELECT key FROM owner WHERE id = ?", [owner.blob]) else {
            throw DomainError.notFound("owner")
        }
        return key
    }

    private func stepping<Result>(
        _ sql: String, _ arguments: StatementArguments, _ body: (Steps) throws -> Result
    ) throws -> Result {
        let statement = try cachedStatement(sql: sql)
        let steps = Steps(statement: statement, connection: sqliteConnection)
        // The code is that of the last step, which has thrown it already.
        defer { sqlite3_reset(statement.sqliteStatement) }
        try steps.bind(arguments.values)
        return try body(steps)
    }
}

extension Array {
    /// A page from one row more than its limit.
    func page<Cursor>(limit: Int, cursor: (Element) throws -> Cursor) rethrows -> StoredPage<Element, Cursor>
    where Element: Sendable, Cursor: Sendable {
        let items = Array(prefix(limit))
        return StoredPage(items: items, next: count > limit ? try items.last.map(cursor) : nil)
    }
}

/// A statement on its way through its rows.
private struct Steps {
    let statement: Statement
    let connection: SQLiteConnection?

    var pointer: SQLiteStatement { statement.sqliteStatement }

    func bind(_ values: [(any Bindable)?]) throws {
        guard sqlite3_bind_parameter_count(pointer) == values.count else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE, message: "\(values.count) arguments", sql: statement.sql)
        }
        let pointer = pointer
        var index: CInt = 0
        for value in values {
            index += 1
            let code = value?.bind(to: pointer, at: index) ?? sqlite3_bind_null(pointer, index)
            guard code == SQLITE_OK else { throw error(code) }
        }
    }

    /// False after the last row.
    func next() throws -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw error(code)
        }
    }

    var row: Row {
        let count = sqlite3_column_count(pointer)
        return Row(
            names: statement.columnNames,
            values: (0..<count).map { DatabaseValue(sqliteStatement: pointer, index: $0) }
        )
    }

    private func error(_ code: CInt) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code), message: sqlite3_errmsg(connection).map { String(cString: $0) },
            sql: statement.sql
        )
    }
}
