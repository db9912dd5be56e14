/// A database's dialect of SQL. It contains only what must differ; nearly all statements have one text for all of them.
package enum Dialect: Sendable, CaseIterable {
    case sqlite
    case postgresql

    /// Makes SQLite use an index where its planner would choose a worse one. Put it after the name of a table.
    func indexed(by index: String) -> String {
        switch self {
        case .sqlite: " INDEXED BY \(index)"
        case .postgresql: ""
        }
    }

    /// The column that identifies one of several equal rows of a table without a key.
    var rowAddress: String {
        switch self {
        case .sqlite: "rowid"
        case .postgresql: "ctid"
        }
    }

    /// A table that counts the rows that it ever had.
    enum CountedTable: String {
        case audit
        case sighting
    }

    /// A statement that reads the key of the last row that was ever inserted into a table. Deleting rows does not
    /// change it. It returns no row, or NULL, if none was ever inserted.
    ///
    /// PostgreSQL's sequences also count rows that were rolled back. This matters for the audit, whose keys have no
    /// gaps; there a trigger keeps the last key in the table `audit_head`.
    func lastKey(of table: CountedTable) -> String {
        switch (self, table) {
        case (.sqlite, _): "SELECT seq FROM sqlite_sequence WHERE name = '\(table.rawValue)'"
        case (.postgresql, .audit): "SELECT length FROM audit_head"
        case (.postgresql, .sighting):
            "SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence('sighting', 'key') AS regclass))"
        }
    }
}

/// A statement whose text depends on the dialect, made once.
struct DialectText: Sendable {
    private let sqlite: String
    private let postgresql: String

    init(_ text: (Dialect) -> String) {
        sqlite = text(.sqlite)
        postgresql = text(.postgresql)
    }

    subscript(dialect: Dialect) -> String {
        switch dialect {
        case .sqlite: sqlite
        case .postgresql: postgresql
        }
    }
}
