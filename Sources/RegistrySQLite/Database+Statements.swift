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

    func run(_ sql: String, _ arguments: StatementArguments) throws {
        try stepping(sql, arguments) { while try $0.next() {} }
    }

    /// Whether the statement finds a row.
    func exists(_ sql: String, _ arguments: StatementArguments) throws -> Bool {
        try stepping(sql, arguments) { try $0.next() }
    }

    /// The integer in the only column of the first row.
    func integer(_ sql: String, _ arguments: StatementArguments) throws -> Int64? {
        try row(sql, arguments)?.values.first.flatMap(Int64.fromDatabaseValue)
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
    func page<Cursor>(limit: Int, cursor: (Element) -> Cursor) -> StoredPage<Element, Cursor>
    where Element: Sendable, Cursor: Sendable {
        let items = Array(prefix(limit))
        return StoredPage(items: items, next: count > limit ? items.last.map(cursor) : nil)
    }
}

/// A statement on its way through its rows.
private struct Steps {
    let statement: Statement
    let connection: SQLiteConnection?

    private var pointer: SQLiteStatement { statement.sqliteStatement }

    func bind(_ values: [DatabaseValue]) throws {
        guard sqlite3_bind_parameter_count(pointer) == values.count else {
            preconditionFailure("\(values.count) arguments for: \(statement.sql)")
        }
        for (index, value) in zip(CInt(1)..., values) {
            let code: CInt =
                switch value.storage {
                case .null: sqlite3_bind_null(pointer, index)
                case .int64(let value): sqlite3_bind_int64(pointer, index, value)
                case .double(let value): sqlite3_bind_double(pointer, index, value)
                case .string(let text): sqlite3_bind_text(pointer, index, text, CInt(text.utf8.count), Self.copied)
                case .blob(let data):
                    data.withUnsafeBytes {
                        sqlite3_bind_blob(pointer, index, $0.baseAddress, CInt($0.count), Self.copied)
                    }
                }
            guard code == SQLITE_OK else { throw error(code) }
        }
    }

    /// SQLITE_TRANSIENT, a cast that Swift does not import: “the object is to be copied prior to the return from
    /// sqlite3_bind_*()”.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

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
