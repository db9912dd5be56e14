import PostgreSQL
package import RegistryRules
package import RegistrySQL

/// A transaction on a connection: one that has been begun, or else each statement by itself.
package final class PostgreSQLTransaction: Transaction {
    /// How the rows of a statement arrive.
    package enum Fetching: Sendable {
        /// All are in memory before the first one is visited.
        case whole
        /// One by one; for a result of any length, if no visitor of a row runs another statement.
        case rowByRow
        /// By a cursor, for a result of any length. Statements that a visitor runs have whole results.
        case inParts
    }

    package var news = StoreNews()
    private let connection: Connection
    private let texts: StatementTexts
    private let fetching: Fetching
    /// Whether a cursor is being read.
    private var isReading = false
    package private(set) var changesCount = 0
    /// The number of rows changed so far, and of changes that failed.
    private var writes = 0

    init(_ connection: Connection, _ texts: StatementTexts, _ fetching: Fetching = .whole) {
        self.connection = connection
        self.texts = texts
        self.fetching = fetching
    }

    /// Whether any row has been changed.
    var hasChanged: Bool { writes != 0 }

    package var dialect: Dialect { .postgresql }

    /// An error makes the server refuse all further statements until something is rolled back.
    package var undoMark: Int { writes &+ (connection.transactionStatus == .failed ? 1 : 0) }

    package var isLost: Bool {
        switch connection.transactionStatus {
        case .inTransaction, .failed: false
        case .idle, .active, .unknown: true
        }
    }

    package func visit(
        _ sql: String, _ parameters: Parameters, _ visitor: (any CurrentRow) throws -> Bool
    ) throws {
        try visit(sql, parameters.forConnection, visitor)
    }

    package func visit(
        _ statement: SetStatement, _ given: Parameters, _ visitor: (any CurrentRow) throws -> Void
    ) throws {
        guard !given.values.isEmpty else { return }
        try visit(statement.arrays, try given.columns(of: statement.types)) { row in
            try visitor(row)
            return true
        }
    }

    private func visit(
        _ sql: String, _ values: [PostgreSQL.Parameter], _ visitor: (any CurrentRow) throws -> Bool
    ) throws {
        let text = texts.text(sql)
        var known: PostgreSQLRow?
        do {
            let count = try visit(text, values) { current in
                let row = known ?? PostgreSQLRow(current)
                row.current = current
                known = row
                return try visitor(row)
            }
            changesCount = text.changesRows ? count : 0
            writes &+= changesCount
        } catch {
            // The visitor may have failed after the statement had changed rows.
            if text.changesRows { writes &+= 1 }
            throw error
        }
    }

    private func visit(
        _ text: StatementText, _ values: [PostgreSQL.Parameter], _ visitor: (Row) throws -> Bool
    ) throws -> Int {
        switch fetching {
        case .inParts where !isReading && !text.changesRows: return try visitInParts(text, values, visitor)
        case .whole, .inParts: return try connection.visit(text.sql, values, .whole, visitor)
        case .rowByRow: return try connection.visit(text.sql, values, .rowByRow, visitor)
        }
    }

    /// The number of rows that a cursor returns together.
    static let part = 1000

    /// Reads the rows by a cursor, part by part; returns their number.
    private func visitInParts(
        _ text: StatementText, _ values: [PostgreSQL.Parameter], _ visitor: (Row) throws -> Bool
    ) throws -> Int {
        isReading = true
        defer { isReading = false }
        try connection.run("DECLARE \(text.cursor) NO SCROLL CURSOR FOR \(text.sql)", values)
        var count = 0
        var goesOn = true
        while goesOn {
            let rows = try connection.visit("FETCH \(Self.part) FROM \(text.cursor)") { row in
                goesOn = try visitor(row)
                return goesOn
            }
            count += rows
            if rows < Self.part { goesOn = false }
        }
        // After an error the transaction ends, and the cursor with it.
        try connection.run("CLOSE \(text.cursor)")
        return count
    }

    package func insert(_ sql: String, _ parameters: Parameters) throws -> Int64 {
        var key: Int64?
        try visit(sql + " RETURNING key", parameters) { row in
            key = row.integer(0)
            return true
        }
        guard let key else { throw CorruptRow(column: "key") }
        return key
    }

    /// PostgreSQL takes the keys from a sequence in the order of the rows, but others may take keys in between.
    package func insert(_ statement: SetStatement, _ given: Parameters) throws -> [Int64] {
        var keys: [Int64] = []
        try visit(statement, given) { keys.append($0.integer(0)) }
        return keys.sorted()
    }
}
