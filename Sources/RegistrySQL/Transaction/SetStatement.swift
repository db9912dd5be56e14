/// A statement that runs once for many rows, which it reads from the table `given`. It joins other tables to `given` by
/// CROSS JOIN: SQLite reads the tables of a CROSS JOIN in this order, without a copy of the rows.
///
/// In SQLite the rows are `VALUES` of a common table expression, in texts for 1, 2, 4, … rows, so that an engine keeps
/// few prepared statements. A set of any other size takes several of them: at most one for each power of two.
/// PostgreSQL takes a whole set in one statement, as one array for each column (``ParameterArray``).
struct SetStatement: Sendable {
    typealias Columns = [(name: String, type: ColumnType)]

    /// The columns of `given`.
    private let columns: Columns
    /// The texts for 1, 2, 4, … rows.
    private let texts: [String]
    /// The text for any number of rows in PostgreSQL.
    private let arrays: String

    /// The binary logarithm of the maximum number of rows of one text. SQLite permits 32,766 parameters.
    private static let largest = 6

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
        texts = (0...Self.largest).map { power in
            let rows = Array(repeating: row, count: 1 << power).joined(separator: ", ")
            return "WITH given (\(names)) AS (VALUES \(rows))\n\(values)"
        }
        let parameters = columns.map { "CAST(? AS \($0.type.name)[])" }.joined(separator: ", ")
        self.arrays = """
            WITH given (\(names)\(ordinality ? ", place_in_set" : ""))
                AS (SELECT * FROM unnest(\(parameters))\(ordinality ? " WITH ORDINALITY" : ""))
            \(arrays)
            """
    }

    private static func names(_ columns: Columns) -> String { columns.map(\.name).joined(separator: ", ") }

    /// Passes on texts with their parameters and numbers of rows, until all rows have been given.
    ///
    /// - Parameter given: the values of `given`, row by row.
    func eachPart(
        of given: Parameters, for dialect: Dialect, _ body: (String, Parameters, _ rows: Int) throws -> Void
    ) throws {
        var rest = given.values
        guard !rest.isEmpty else { return }
        let width = columns.count
        switch dialect {
        case .sqlite:
            while !rest.isEmpty {
                let (sql, count) = text(forRows: rest.count / width)
                try body(sql, Parameters(rest.prefix(count * width)), count)
                rest = rest.dropFirst(count * width)
            }
        case .postgresql:
            let parameters = columns.enumerated().map { offset, column in
                let values = stride(from: rest.startIndex + offset, to: rest.endIndex, by: width).map { rest[$0] }
                return ParameterArray(column.type, values)
            }
            try body(arrays, Parameters(parameters), rest.count / width)
        }
    }

    /// SQLite's text for the largest number of rows that is not larger than this one, and its number of rows.
    func text(forRows count: Int) -> (sql: String, rows: Int) {
        let power = min(Self.largest, Int.bitWidth - 1 - max(count, 1).leadingZeroBitCount)
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
        try statement.eachPart(of: given, for: dialect) { sql, part, _ in try eachColumns(sql, part, body) }
    }

    /// Runs a statement for the rows of a set, and passes on the rows of the result one by one.
    func eachRow(_ statement: SetStatement, _ given: Parameters, _ body: (StoredRow) throws -> Void) throws {
        try statement.eachPart(of: given, for: dialect) { sql, part, _ in try eachRow(sql, part, body) }
    }

    /// Runs a statement that changes rows for the rows of a set.
    func run(_ statement: SetStatement, _ given: Parameters) throws {
        try statement.eachPart(of: given, for: dialect) { sql, part, _ in try run(sql, part) }
    }

    /// Inserts the rows of a set, and returns their keys in the order of the rows.
    ///
    /// SQLite gives consecutive keys to the rows of one statement; `RETURNING` would take 1.8 µs a row. PostgreSQL
    /// takes the keys from a sequence in the order of the rows, but others may take keys in between.
    ///
    /// - Parameter statement: made by ``SetStatement/init(inserting:into:)``.
    func insert(_ statement: SetStatement, _ given: Parameters) throws -> [Int64] {
        var keys: [Int64] = []
        try statement.eachPart(of: given, for: dialect) { sql, part, count in
            switch dialect {
            case .sqlite:
                let last = try insert(sql, part)
                keys += last - Int64(count) + 1...last
            case .postgresql:
                try eachColumns(sql, part) { keys.append($0.integer()) }
                keys.sort()
            }
        }
        return keys
    }
}
