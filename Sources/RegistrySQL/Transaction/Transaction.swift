package import Registry
import RegistryAPI

/// One transaction of a database: the interface between the registry's operations and the engine that runs their SQL.
///
/// It is synchronous: an engine runs an operation on one of its own threads, from the first statement to the last.
/// Parameters are written `?`, or `?1` if one occurs several times.
///
/// Most statements are portable. These parts are specific to SQLite and need another form in other databases:
/// `INSERT OR IGNORE` and `INSERT OR REPLACE` (alerts, reminders, transfers, shares, rates, checkpoints); `json_set`
/// (``Channels``); `INDEXED BY` and the unary plus (``Sighting/page``, ``Surroundings``); scalar `min`, `max` and
/// `iif`; `random()` (``MissingListJournal``); `sqlite_sequence` (``AuditTrail``, ``Statistics``); booleans as
/// integers; ``lastInsertedRowID``; the rows of a ``SetStatement``; and the triggers of the schema, which fill the tables
/// `missing_list_touched` and `revocation` and the channels' next alerts.
package protocol Transaction: AnyObject {
    /// Runs a statement and passes each of its rows to the visitor, until the visitor returns false.
    func visit(_ sql: String, _ parameters: Parameters, _ visitor: (any CurrentRow) throws -> Bool) throws

    /// The number of rows that the last statement changed.
    var changesCount: Int { get }

    /// The integer key of the row that was inserted last.
    var lastInsertedRowID: Int64 { get }
}

extension Transaction {
    package func row(_ sql: String, _ parameters: Parameters) throws -> StoredRow? {
        var row: StoredRow?
        try visit(sql, parameters) {
            row = $0.row
            return false
        }
        return row
    }

    package func rows(_ sql: String, _ parameters: Parameters) throws -> [StoredRow] {
        var rows: [StoredRow] = []
        try eachRow(sql, parameters) { rows.append($0) }
        return rows
    }

    /// Passes on rows one by one, for results that are too large for memory.
    package func eachRow(_ sql: String, _ parameters: Parameters, _ body: (StoredRow) throws -> Void) throws {
        try visit(sql, parameters) {
            try body($0.row)
            return true
        }
    }

    /// Reads the columns of each row in order; for statements for which looking up names takes longer than running
    /// them.
    package func eachColumns(
        _ sql: String, _ parameters: Parameters, _ body: (inout ColumnReader) throws -> Void
    ) throws {
        try visit(sql, parameters) {
            var columns = ColumnReader($0)
            try body(&columns)
            return true
        }
    }

    /// Reads the columns of the first row in order.
    package func firstColumns<Result>(
        _ sql: String, _ parameters: Parameters, _ read: (inout ColumnReader) throws -> Result
    ) throws -> Result? {
        var result: Result?
        try visit(sql, parameters) {
            var columns = ColumnReader($0)
            result = try read(&columns)
            return false
        }
        return result
    }

    package func run(_ sql: String, _ parameters: Parameters) throws {
        try visit(sql, parameters) { _ in true }
    }

    /// Whether the statement finds a row.
    package func exists(_ sql: String, _ parameters: Parameters) throws -> Bool {
        var exists = false
        try visit(sql, parameters) { _ in
            exists = true
            return false
        }
        return exists
    }

    /// The integer in the only column of the first row.
    package func integer(_ sql: String, _ parameters: Parameters) throws -> Int64? {
        try firstColumns(sql, parameters) { $0.optionalInteger() } ?? nil
    }
}

extension Array {
    /// A page, from one row more than its limit.
    package func page<Cursor>(limit: Int, cursor: (Element) throws -> Cursor) rethrows -> StoredPage<Element, Cursor>
    where Element: Sendable, Cursor: Sendable {
        let items = Array(prefix(limit))
        return StoredPage(items: items, next: count > limit ? try items.last.map(cursor) : nil)
    }
}
