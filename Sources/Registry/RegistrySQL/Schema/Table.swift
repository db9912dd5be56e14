import Syntax

/// A table of the registry, described once for both databases.
///
/// Its text has a line for each column, constraint and index; a line that begins with `--` is a comment:
///
///     key IDENTITY
///     report INTEGER NOT NULL REFERENCES report ON DELETE CASCADE
///     digest BLOB(32) UNIQUE
///     CHECK ((latitude IS NULL) = (longitude IS NULL))
///     INDEX share_report (report, id)
///     UNIQUE INDEX report_open (bike) WHERE closed IS NULL
///
/// A column has a name, a type (``Column/types``), and SQL that both databases understand. `BLOB(32)` has exactly 32 bytes.
/// `IDENTITY` is a key that the database assigns; SQLite may assign the key of a deleted row again, except with
/// `IDENTITY AUTOINCREMENT`.
package struct Table: Sendable {
    package let name: String
    /// In their order, which is that of their descriptions.
    package private(set) var columns: [Column] = []
    /// The constraints of the table, such as `UNIQUE (bike, owner)`.
    private var constraints: [String] = []
    /// The statements that make the indexes.
    private var indexes: [String] = []

    /// Reads a description.
    package init(_ name: String, _ text: String) {
        self.name = name
        for line in text.split(at: "\n").map(String.init) where !line.begins(with: "--") {
            if let index = Self.index(line, on: name) {
                indexes.append(index)
            } else if let column = Column(line) {
                columns.append(column)
            } else {
                constraints.append(line)
            }
        }
    }

    /// The statement that makes an index; nil if the line describes none.
    private static func index(_ line: String, on table: String) -> String? {
        for kind in ["INDEX ", "UNIQUE INDEX "] {
            guard let text = line.dropping(prefix: kind) else { continue }
            let name = text.part { $0 == " " }
            return "CREATE \(kind)\(name) ON \(table)\(text[name.endIndex...])"
        }
        return nil
    }

    /// The statements that make the table and its indexes.
    func creation(in dialect: Dialect) -> [String] {
        let lines = columns.map { $0.definition(in: dialect) } + constraints
        return ["CREATE TABLE \(name) (\n    \(lines.joined(separator: ",\n    "))\n)\(options(in: dialect))"] + indexes
    }

    /// The statements that add these columns, constraints and indexes to an existing table. Constraints can only be
    /// those of columns.
    func addition(in dialect: Dialect) -> [String] {
        columns.map { "ALTER TABLE \(name) ADD COLUMN \($0.definition(in: dialect))" } + indexes
    }

    /// In SQLite a table is stored in the order of its integer key, or, `WITHOUT ROWID`, of its other primary key.
    /// PostgreSQL has no counterpart: there, every table is a heap with indexes.
    private func options(in dialect: Dialect) -> String {
        guard dialect == .sqlite else { return "" }
        let hasOtherKey =
            constraints.contains { $0.begins(with: "PRIMARY KEY") } || columns.contains(where: \.isNonIntegerPrimaryKey)
        return hasOtherKey ? " STRICT, WITHOUT ROWID" : " STRICT"
    }

    /// Adds the additions of a later step to this table.
    mutating func append(_ addition: Table) {
        columns += addition.columns
        indexes += addition.indexes
    }
}

/// A column of a table.
package struct Column: Sendable {
    package let name: String
    package let type: ColumnType
    /// The name of the type in SQLite.
    private let sqliteType: String
    /// Whether it is a key that the database assigns.
    package let isIdentity: Bool
    /// Its constraints, such as ` NOT NULL`.
    private let constraints: String

    /// The types by their names in SQLite, which the descriptions use.
    package static let types: [String: ColumnType] = [
        "INTEGER": .integer, "REAL": .double, "TEXT": .text, "BLOB": .blob,
    ]

    /// Reads a line of a description; nil if it does not describe a column.
    init?(_ line: String) {
        let words = line.split(at: " ", maxSplits: 2)
        guard words.count > 1 else { return nil }
        let name = String(words[0])
        let word = words[1].part { $0 == "(" }
        isIdentity = word == "IDENTITY"
        sqliteType = isIdentity ? "INTEGER" : String(word)
        guard let type = Self.types[sqliteType] else { return nil }
        self.name = name
        self.type = type
        let length = words[1][word.endIndex...].trimming { $0 == "(" || $0 == ")" }
        let check = length.isEmpty ? "" : " CHECK (length(\(name)) = \(length))"
        constraints = words.dropFirst(2).map { " \($0)" }.joined() + check
    }

    /// Whether it is the primary key of a table that SQLite stores in another order than that of integers.
    var isNonIntegerPrimaryKey: Bool { type != .integer && constraints.has("PRIMARY KEY") }

    /// The column in a statement that makes or changes a table.
    func definition(in dialect: Dialect) -> String {
        switch dialect {
        case .sqlite:
            let constraints = (isIdentity ? " PRIMARY KEY" : "") + constraints
            return "\(name) \(sqliteType)\(constraints)"
        case .postgresql:
            // In PostgreSQL, a key is never assigned again, and there are gaps where a transaction was rolled back.
            let constraints = isIdentity ? " GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY" : constraints
            // Texts are compared byte by byte, as in SQLite.
            let collation = type == .text ? " COLLATE \"C\"" : ""
            return "\(name) \(type.name)\(collation)\(constraints)"
        }
    }
}

/// The type of a column.
package enum ColumnType: Sendable {
    case integer
    case double
    case text
    case blob

    /// The name of the type in PostgreSQL.
    package var name: String {
        switch self {
        case .integer: "bigint"
        case .double: "double precision"
        case .text: "text"
        case .blob: "bytea"
        }
    }
}
