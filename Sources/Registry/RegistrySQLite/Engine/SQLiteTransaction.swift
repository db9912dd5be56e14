import Foundation
package import GRDB
import GRDBSQLite
package import RegistryRules
package import RegistrySQL
import Synchronization

/// A transaction on a connection of SQLite, which keeps the statements that were prepared on the connection.
package final class SQLiteTransaction: Transaction {
    package let database: Database
    package var news = StoreNews()
    private var prepared: [StatementText: PreparedStatement] = [:]

    package init(_ database: Database) { self.database = database }

    package var dialect: Dialect { .sqlite }
    package var changesCount: Int { database.changesCount }
    package var undoMark: Int { database.totalChangesCount }
    package var isLost: Bool { !database.isInsideTransaction }

    /// Runs the body in a transaction, and commits it; if either fails, everything is rolled back.
    ///
    /// GRDB's own transactions take longer than many queries: it prepares their statements each time, and looks for
    /// observers of the changes, which nobody is here.
    ///
    /// - Parameter begin: the statement that begins the transaction.
    func run(beginning begin: String, _ body: () throws -> Void) throws {
        // In case that the last rollback failed.
        if !isLost { try run("ROLLBACK", []) }
        try run(begin, [])
        do {
            try body()
            try run("COMMIT", [])
        } catch {
            // After some errors, such as a full disk, SQLite has rolled back by itself.
            if !isLost { try? run("ROLLBACK", []) }
            throw error
        }
    }

    package func insert(_ sql: String, _ parameters: Parameters) throws -> Int64 {
        try run(sql, parameters)
        return database.lastInsertedRowID
    }

    package func visit(
        _ sql: String, _ parameters: Parameters, _ visitor: (any CurrentRow) throws -> Bool
    ) throws {
        try statement(sql).run(parameters, parameters.values.indices, visitor)
    }

    package func visit(
        _ statement: SetStatement, _ given: Parameters, _ visitor: (any CurrentRow) throws -> Void
    ) throws {
        try statement.eachPart(of: given) { sql, part, _ in
            try self.statement(sql).run(given, part) { row in
                try visitor(row)
                return true
            }
        }
    }

    /// SQLite gives consecutive keys to the rows of one statement; `RETURNING` would take 1.8 µs a row.
    package func insert(_ statement: SetStatement, _ given: Parameters) throws -> [Int64] {
        var keys: [Int64] = []
        try statement.eachPart(of: given) { sql, part, count in
            try self.statement(sql).run(given, part) { _ in true }
            let last = database.lastInsertedRowID
            keys += last - Int64(count) + 1...last
        }
        return keys
    }

    /// The prepared statement of a text, which is kept.
    private func statement(_ sql: String) throws -> PreparedStatement {
        let text = StatementText(sql: sql)
        // A visitor of its rows may run the same text.
        if let statement = prepared[text], !statement.isRunning { return statement }
        let statement = try PreparedStatement(sql, on: database)
        prepared[text] = statement
        return statement
    }
}

/// The transactions of a pool's connections.
final class PooledTransactions: Sendable {
    /// GRDB runs one access at a time on each connection, and the transaction is used only there.
    private struct Confined: @unchecked Sendable {
        let transaction: SQLiteTransaction
    }

    /// Nil after the end.
    private let known = Mutex<[ObjectIdentifier: Confined]?>([:])

    /// The transaction on a connection, during an access to it.
    func on(_ database: Database) -> SQLiteTransaction {
        known.withLock { known in
            if let confined = known?[ObjectIdentifier(database)] { return confined }
            let confined = Confined(transaction: SQLiteTransaction(database))
            known?[ObjectIdentifier(database)] = confined
            return confined
        }.transaction
    }

    /// Finalizes the statements of all connections, at the latest at the end of the access to each. Before that, SQLite
    /// does not close the connections, and a database that replaces theirs would lose its log.
    func close() { known.withLock { $0 = nil } }
}

/// A statement's text as a key. Hashing all of it would take longer than running the statement: texts of equal length
/// are rare, and a text is mostly compared with itself, which takes only a comparison of addresses.
private struct StatementText: Hashable {
    let sql: String

    func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
}

/// A prepared statement, and while it runs its current row. It uses SQLite's C interface (https://sqlite.org/cintro.html).
private final class PreparedStatement: CurrentRow {
    private let sql: String
    private let connection: SQLiteConnection?
    private let pointer: SQLiteStatement
    private let parameterCount: Int
    private(set) var isRunning = false
    /// Read if any row is copied.
    private lazy var columnNames = (0..<Int(sqlite3_column_count(pointer))).map(name)

    init(_ sql: String, on database: Database) throws {
        self.sql = sql
        connection = database.sqliteConnection
        // GRDB collects what all statements read and change, and forgets it only before it prepares one itself. It would
        // take longer for each further statement.
        _ = try database.makeStatement(sql: "SELECT 1")
        var pointer: SQLiteStatement?
        // It is kept for long (https://sqlite.org/c3ref/c_prepare_persistent.html).
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
        guard code == SQLITE_OK, let pointer else { throw DatabaseError(code, connection, sql) }
        self.pointer = pointer
        parameterCount = Int(sqlite3_bind_parameter_count(pointer))
    }

    deinit { sqlite3_finalize(pointer) }

    /// Runs the statement with a part of the parameters, and passes on its rows until the visitor returns false.
    func run(_ parameters: Parameters, _ part: Range<Int>, _ visitor: (any CurrentRow) throws -> Bool) throws {
        try parameters.bytes.withUnsafeBufferPointer { bytes in
            isRunning = true
            defer {
                isRunning = false
                // The result code is that of the last step, which has already thrown it.
                sqlite3_reset(pointer)
                sqlite3_clear_bindings(pointer)
            }
            guard part.count == parameterCount else {
                throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "\(part.count) arguments", sql: sql)
            }
            var index: CInt = 1
            for value in parameters.values[part] {
                try check(bind(value, bytes, at: index))
                index += 1
            }
            while try step(), try visitor(self) {}
        }
    }

    /// Binds a value without a copy, until the run ends.
    private func bind(_ value: Parameters.Value, _ bytes: UnsafeBufferPointer<UInt8>, at index: CInt) -> CInt {
        switch value {
        case .null: sqlite3_bind_null(pointer, index)
        case .integer(let integer): sqlite3_bind_int64(pointer, index, integer)
        case .double(let double): sqlite3_bind_double(pointer, index, double)
        case .text(let place):
            // An empty buffer may have no address, which SQLite would interpret as NULL.
            if let start = bytes.baseAddress {
                (start + place.lowerBound).withMemoryRebound(to: CChar.self, capacity: place.count) {
                    sqlite3_bind_text64(pointer, index, $0, UInt64(place.count), nil, UInt8(SQLITE_UTF8))
                }
            } else {
                sqlite3_bind_text(pointer, index, "", 0, copied)
            }
        case .blob(let place):
            if let start = bytes.baseAddress, !place.isEmpty {
                sqlite3_bind_blob64(pointer, index, start + place.lowerBound, UInt64(place.count), nil)
            } else {
                sqlite3_bind_zeroblob(pointer, index, 0)
            }
        }
    }

    /// Advances to the next row; false after the last row.
    private func step() throws -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw DatabaseError(code, connection, sql)
        }
    }

    /// Throws unless SQLite reports success.
    private func check(_ code: CInt) throws {
        guard code == SQLITE_OK else { throw DatabaseError(code, connection, sql) }
    }

    var row: StoredRow {
        StoredRow(names: columnNames, values: (0..<Int(sqlite3_column_count(pointer))).map(value))
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

extension DatabaseError {
    fileprivate init(_ code: CInt, _ connection: SQLiteConnection?, _ sql: String) {
        self.init(
            resultCode: ResultCode(rawValue: code), message: sqlite3_errmsg(connection).map { String(cString: $0) },
            sql: sql)
    }
}

/// SQLITE_TRANSIENT, a cast that Swift does not import: “the object is to be copied prior to the return from
/// sqlite3_bind_*()” (https://sqlite.org/c3ref/bind_blob.html). SQLite compares this pointer and never calls it.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
