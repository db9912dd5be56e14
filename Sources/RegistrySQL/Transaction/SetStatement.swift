/// A statement that runs once for many rows, which it reads from the table `given`. It joins other tables to `given` by
/// CROSS JOIN: SQLite reads the tables of a CROSS JOIN in this order, without a copy of the rows.
///
/// Here the rows are `VALUES` of a common table expression, in texts for 1, 2, 4, … rows, so that an engine keeps few
/// prepared statements. A set of any other size takes several of them: at most one for each power of two. A database
/// with array parameters can take a whole set in one statement instead; only this type would change.
struct SetStatement: Sendable {
    /// The number of columns of `given`.
    let width: Int
    /// The texts for 1, 2, 4, … rows.
    private let texts: [String]

    /// The binary logarithm of the maximum number of rows of one text. SQLite permits 32,766 parameters.
    private static let largest = 6

    /// - Parameters:
    ///   - columns: the names of the columns of `given`, separated by commas.
    ///   - sql: the statement after the common table expression.
    init(given columns: String, _ sql: String) {
        let width = columns.split(separator: ",").count
        let row = "(" + Array(repeating: "?", count: width).joined(separator: ", ") + ")"
        self.width = width
        texts = (0...Self.largest).map { power in
            let rows = Array(repeating: row, count: 1 << power).joined(separator: ", ")
            return "WITH given (\(columns)) AS (VALUES \(rows))\n\(sql)"
        }
    }

    /// The text for the largest number of rows that is not larger than this one, and its number of rows.
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
        try eachPart(of: given, for: statement) { sql, part, _ in try eachColumns(sql, part, body) }
    }

    /// Runs a statement for the rows of a set, and passes on the rows of the result one by one.
    func eachRow(_ statement: SetStatement, _ given: Parameters, _ body: (StoredRow) throws -> Void) throws {
        try eachPart(of: given, for: statement) { sql, part, _ in try eachRow(sql, part, body) }
    }

    /// Runs a statement that changes rows for the rows of a set.
    func run(_ statement: SetStatement, _ given: Parameters) throws {
        try eachPart(of: given, for: statement) { sql, part, _ in try run(sql, part) }
    }

    /// Inserts the rows of a set into a table whose key is AUTOINCREMENT, and returns their keys. SQLite gives
    /// consecutive keys to the rows of one statement.
    func insert(_ statement: SetStatement, _ given: Parameters) throws -> [Int64] {
        var keys: [Int64] = []
        try eachPart(of: given, for: statement) { sql, part, count in
            try run(sql, part)
            let last = lastInsertedRowID
            keys += last - Int64(count) + 1...last
        }
        return keys
    }

    private func eachPart(
        of given: Parameters, for statement: SetStatement, _ body: (String, Parameters, _ rows: Int) throws -> Void
    ) throws {
        var rest = given.values
        while !rest.isEmpty {
            let (sql, count) = statement.text(forRows: rest.count / statement.width)
            try body(sql, Parameters(rest.prefix(count * statement.width)), count)
            rest = rest.dropFirst(count * statement.width)
        }
    }
}
