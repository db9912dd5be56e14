/// A statement that runs once for many rows, which it reads from the table `given`. It joins other tables to `given` by
/// CROSS JOIN: SQLite reads the tables of a CROSS JOIN in this order, without a copy of the rows.
///
/// In SQLite the rows are `VALUES` of a common table expression, in texts for 1, 2, 4, … rows, so that an engine keeps
/// few prepared statements. A set of any other size takes several of them: at most one for each power of two.
/// PostgreSQL takes a whole set in one statement, as one array for each column.
package struct SetStatement: Sendable {
    /// The names of columns with their types, in order.
    typealias Columns = [(name: String, type: ColumnType)]

    /// The columns of `given`.
    private let columns: Columns
    /// The types of the columns of `given`.
    package var types: [ColumnType] { columns.map(\.type) }
    /// The texts for 1, 2, 4, … rows.
    private let texts: [String]
    /// The text for any number of rows in PostgreSQL, with an array of values for each column.
    package let arrays: String

    /// The binary logarithm of the maximum number of rows of one text. SQLite permits 32,766 parameters.
    private static let largestPower = 6

    /// - Parameters:
    ///   - columns: the columns of `given`.
    ///   - sql: the statement after the common table expression.
    init(given columns: Columns, _ sql: String) { self.init(columns, values: sql, arrays: sql, ordinality: false) }

    /// A statement that inserts the rows of `given`, in their order, into a table whose key is called `key`.
    init(inserting columns: Columns, into table: String) {
        let names = Self.names(columns)
        let sql = "INSERT INTO \(table) (\(names)) SELECT \(names) FROM given"
        self.init(columns, values: sql, arrays: "\(sql) ORDER BY place_in_set RETURNING key", ordinality: true)
    }

    /// - Parameter ordinality: whether the arrays' rows have their numbers in a further column, `place_in_set`.
    private init(_ columns: Columns, values: String, arrays: String, ordinality: Bool) {
        self.columns = columns
        let row = "(" + Array(repeating: "?", count: columns.count).joined(separator: ", ") + ")"
        let names = Self.names(columns)
        texts = (0...Self.largestPower).map { power in
            let rows = Array(repeating: row, count: 1 << power).joined(separator: ", ")
            return "WITH given (\(names)) AS (VALUES \(rows))\n\(values)"
        }
        let parameters = columns.map { "CAST(? AS \($0.type.name)[])" }.joined(separator: ", ")
        let numberColumn = ordinality ? ", place_in_set" : ""
        let withNumbers = ordinality ? " WITH ORDINALITY" : ""
        self.arrays = """
            WITH given (\(names)\(numberColumn))
                AS (SELECT * FROM unnest(\(parameters))\(withNumbers))
            \(arrays)
            """
    }

    private static func names(_ columns: Columns) -> String { columns.map(\.name).joined(separator: ", ") }

    /// Passes on SQLite's texts with the places of their parameters, and their numbers of rows, until all rows have been
    /// given.
    package func eachPart(
        of given: Parameters, _ body: (_ sql: String, _ part: Range<Int>, _ rows: Int) throws -> Void
    ) throws {
        var start = 0
        while start < given.values.count {
            let (sql, rows) = text(forRows: (given.values.count - start) / columns.count)
            let end = start + rows * columns.count
            try body(sql, start..<end, rows)
            start = end
        }
    }

    /// SQLite's text for the largest number of rows that is not larger than this one, and its number of rows.
    func text(forRows count: Int) -> (sql: String, rows: Int) {
        let power = min(Self.largestPower, Int.bitWidth - 1 - max(count, 1).leadingZeroBitCount)
        return (texts[power], 1 << power)
    }
}

extension Transaction {
    /// Runs a statement for the rows of a set, and reads the columns of each row of the result in order.
    ///
    /// - Parameter given: the values of `given`, row by row.
    func eachColumns(
        _ statement: SetStatement, _ given: Parameters, _ body: (inout ColumnReader) throws -> Void
    ) throws {
        try visit(statement, given) { row in
            var columns = ColumnReader(row)
            try body(&columns)
        }
    }

    /// Runs a statement for the rows of a set, and passes on the rows of the result one by one.
    func eachRow(_ statement: SetStatement, _ given: Parameters, _ body: (StoredRow) throws -> Void) throws {
        try visit(statement, given) { try body($0.row) }
    }

    /// Runs a statement that changes rows for the rows of a set.
    func run(_ statement: SetStatement, _ given: Parameters) throws { try visit(statement, given) { _ in } }
}
