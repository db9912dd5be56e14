import RegistryAPI
package import RegistryRules

/// One transaction of a database: the interface between the registry's operations and the engine that runs their SQL.
///
/// It is synchronous: an engine runs an operation on one of its own threads, from the first statement to the last.
/// Parameters are written `?`, or `?1` if one occurs several times.
///
/// Each statement has one text that SQLite (from 3.40) and PostgreSQL (from 15) understand in the same way, except for
/// what ``Dialect`` provides. So statements keep to these rules:
///
/// - Columns have one of four types: integers of 64 bits, doubles, texts that are compared byte by byte, and blobs.
///   Booleans are stored and bound as integers 0 and 1, and a condition compares them: `ended = 1`. A column of a result
///   may be a condition; its value is read as an integer, so the engine converts PostgreSQL's booleans.
/// - `CAST(? AS BIGINT)` or `AS TEXT` gives a type to a parameter whose use does not determine one: in a list of
///   results, in `? IS NULL`, in arithmetic or compared with a literal number. SQLite treats BIGINT as INTEGER, which
///   has four bytes in PostgreSQL. Sums of integers are cast too, because PostgreSQL makes them NUMERIC.
/// - `ON CONFLICT` instead of `INSERT OR …`, `IS NOT DISTINCT FROM` instead of `IS`, `CASE` instead of `iif` and of `min`
///   and `max` with several arguments, and a name for each subquery in FROM. No JSON, random numbers, rowids, literal
///   blobs or names in double quotes.
/// - `NULLS FIRST` or `LAST` where the order of NULLs matters: they are the smallest values in SQLite and the largest in
///   PostgreSQL.
/// - A set of rows is given by a ``SetStatement``.
///
/// The tables and their triggers, which fill the tables `missing_list_touched` and `revocation` and the channels' next
/// alerts, are described once, too (``Schema``).
package protocol Transaction: AnyObject, SendableMetatype {
    var dialect: Dialect { get }

    /// A number that differs from an earlier one if anything since then must be undone when a change fails.
    var undoMark: Int { get }

    /// Whether the whole transaction is lost, so that not even rolling back to a savepoint helps.
    var isLost: Bool { get }

    /// The work that the changes so far cause elsewhere. It is empty at the beginning of a transaction.
    var news: StoreNews { get set }

    /// Runs a statement and passes each of its rows to the visitor, until the visitor returns false. The visitor may run
    /// other statements.
    func visit(_ sql: String, _ parameters: Parameters, _ visitor: (any CurrentRow) throws -> Bool) throws

    /// The number of rows that the last statement changed.
    var changesCount: Int { get }

    /// Inserts one row into a table whose key is called `key`, and returns the key.
    func insert(_ sql: String, _ parameters: Parameters) throws -> Int64

    /// Runs a statement for the rows of a set, and passes on each row of the result.
    ///
    /// - Parameter given: the values of `given`, row by row.
    func visit(_ statement: SetStatement, _ given: Parameters, _ visitor: (any CurrentRow) throws -> Void) throws

    /// Inserts the rows of a set, and returns their keys in the order of the rows.
    ///
    /// - Parameter statement: made by ``SetStatement/init(inserting:into:)``.
    func insert(_ statement: SetStatement, _ given: Parameters) throws -> [Int64]
}

extension Transaction {
    /// The first row; nil if there is none.
    package func row(_ sql: String, _ parameters: Parameters) throws -> StoredRow? {
        var row: StoredRow?
        try visit(sql, parameters) {
            row = $0.row
            return false
        }
        return row
    }

    /// All rows, for results of a limited number.
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

    /// Runs a statement whose rows, if it has any, do not matter.
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

    /// The integer in the only column of the first row; nil if there is no row, or the column is NULL.
    package func integer(_ sql: String, _ parameters: Parameters) throws -> Int64? {
        try firstColumns(sql, parameters) { $0.optionalInteger() } ?? nil
    }
}

extension Array {
    /// A page, from up to one item more than its limit, which shows whether there is a next page.
    ///
    /// - Parameter cursor: the cursor after an item.
    package func page<Cursor>(limit: Int, cursor: (Element) throws -> Cursor) rethrows -> StoredPage<Element, Cursor>
    where Element: Sendable, Cursor: Sendable {
        let items = Array(prefix(limit))
        return StoredPage(items: items, next: count > limit ? try items.last.map(cursor) : nil)
    }
}
