import Foundation
package import PostgreSQL
import RegistryRules
package import RegistrySQL

/// Copies all rows of an SQLite database, with all keys, into an empty PostgreSQL database. Both have the tables of
/// ``Schema``.
///
/// Triggers do not run, since the rows already contain what they would add. Everything is one transaction, so a copy
/// that is interrupted leaves nothing.
package struct DatabaseCopy {
    let source: any Transaction
    let target: Connection

    package init(from source: any Transaction, to target: Connection) {
        self.source = source
        self.target = target
    }

    /// How many rows one statement inserts, and the bytes after which it is sent anyway: 4 MB.
    private static let batch = (rows: 500, bytes: 4 << 20)

    /// Copies all tables, and counts the rows of both.
    ///
    /// - Returns: the number of rows of each table.
    /// - Throws: ``DatabaseCopyError``; the errors of both databases.
    package func run() throws -> [(table: String, rows: Int64)] {
        // No other process may begin to use the database, or to copy into it, after it was found empty.
        try target.run("LOCK TABLE owner, operator, station, audit IN ACCESS EXCLUSIVE MODE")
        guard try isEmpty() else { throw DatabaseCopyError.notEmpty }
        for table in Schema.tables.reversed() {
            try target.run("ALTER TABLE \(table.name) DISABLE TRIGGER USER")
            try target.run("DELETE FROM \(table.name)")
        }
        try setReferencesWithinTables("DEFERRABLE INITIALLY DEFERRED")
        var counts: [(table: String, rows: Int64)] = []
        for table in Schema.tables {
            let rows = try copy(table)
            guard try target.integer("SELECT count(*) FROM \(table.name)") == rows else {
                throw DatabaseCopyError.different(table: table.name)
            }
            counts.append((table.name, rows))
        }
        try target.run("SET CONSTRAINTS ALL IMMEDIATE")
        try setReferencesWithinTables("NOT DEFERRABLE")
        for table in Schema.tables {
            try continueKeys(of: table)
            try target.run("ALTER TABLE \(table.name) ENABLE TRIGGER USER")
        }
        try continueAudit()
        return counts
    }

    /// Sets when references between rows of the same table are checked: a row may be sent in an earlier batch than the
    /// row that it refers to.
    private func setReferencesWithinTables(_ time: String) throws {
        var changes: [String] = []
        try target.visit(
            """
            SELECT format('ALTER TABLE %s ALTER CONSTRAINT %I ', conrelid::regclass, conname) FROM pg_constraint
            WHERE contype = 'f' AND conrelid = confrelid AND connamespace = current_schema()::regnamespace
            """
        ) { row in
            changes += row.text(0).map { [$0 + time] } ?? []
            return true
        }
        for change in changes { try target.run(change) }
    }

    /// Notes the number of entries ever appended, which SQLite counts itself, so that missing last ones are noticed.
    private func continueAudit() throws {
        let appended = try source.integer("SELECT seq FROM sqlite_sequence WHERE name = 'audit'", []) ?? 0
        try target.run("UPDATE audit_head SET length = $1", [.integer(appended)])
    }

    /// Whether the target has never been used. A new database has rows that describe it, and no accounts.
    private func isEmpty() throws -> Bool {
        let sql = """
            SELECT count(*) FROM (SELECT FROM owner UNION ALL SELECT FROM operator UNION ALL SELECT FROM station) AS used
            """
        return try target.integer(sql) == 0
    }

    /// Copies the rows of a table; returns their number.
    private func copy(_ table: Table) throws -> Int64 {
        let columns = table.columns
        let names = columns.map(\.name).joined(separator: ", ")
        let arrays = columns.enumerated().map { "$\($0 + 1)::\($1.type.name)[]" }
            .joined(separator: ", ")
        let insert = "INSERT INTO \(table.name) (\(names)) SELECT * FROM unnest(\(arrays))"
        var batch: [[StoredValue]] = []
        var bytes = 0
        var total: Int64 = 0
        func send() throws {
            guard !batch.isEmpty else { return }
            let given = try columns.enumerated().map { index, column in
                try column.array(of: batch.map { $0[index] }, in: table.name)
            }
            do {
                try target.run(insert, given)
            } catch let error as PostgreSQLError where error.kind == .refused {
                throw DatabaseCopyError.refused(table: table.name, reason: "\(error)")
            }
            total += Int64(batch.count)
            (batch, bytes) = ([], 0)
        }
        try source.visit("SELECT \(names) FROM \(table.name) ORDER BY 1", []) { row in
            let values = row.row.values
            batch.append(values)
            bytes += values.reduce(0) { $0 + $1.size }
            if batch.count >= Self.batch.rows || bytes >= Self.batch.bytes { try send() }
            return true
        }
        try send()
        return total
    }

    /// Makes new keys follow the last one that the source ever gave, even if its row is gone.
    private func continueKeys(of table: Table) throws {
        for column in table.columns where column.isIdentity {
            let last = try source.integer("SELECT seq FROM sqlite_sequence WHERE name = ?", [table.name])
            let highest = try target.integer("SELECT max(\(column.name)) FROM \(table.name)")
            guard let key = [last, highest].compactMap({ $0 }).max(), key > 0 else { continue }
            try target.run(
                "SELECT setval(pg_get_serial_sequence($1, $2), $3)",
                [.text(table.name), .text(column.name), .integer(key)])
        }
    }
}

/// The reason why a database cannot be copied. Each description says what to do.
public enum DatabaseCopyError: Error, Hashable, Sendable {
    /// A registry has used the PostgreSQL database.
    case notEmpty
    /// Both databases have this table, but in different forms.
    case different(table: String)
    /// A row's value has another type than its column.
    case unusable(table: String, column: String)
    /// PostgreSQL refused rows of this table.
    case refused(table: String, reason: String)
}

extension DatabaseCopyError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notEmpty:
            "the PostgreSQL database is in use: it has owners, operators or stations. Give a new, empty database"
        case .different(let table):
            "the table ‘\(table)’ differs between both databases: use the same version of this program for both"
        case .unusable(let table, let column):
            "the column ‘\(column)’ of the table ‘\(table)’ contains a value that PostgreSQL cannot store: keep the file, "
                + "and report this"
        case .refused(let table, let reason):
            "PostgreSQL refused rows of the table ‘\(table)’ (\(reason)): keep the file, and report this"
        }
    }
}

extension StoredValue {
    /// The approximate size in bytes.
    fileprivate var size: Int {
        switch self {
        case .null: 1
        case .integer, .double: 8
        case .text(let text): text.utf8.count
        case .blob(let data): data.count
        }
    }
}

extension Column {
    /// The values of this column in several rows.
    fileprivate func array(of values: [StoredValue], in table: String) throws -> Parameter {
        func each<Value: StoredValueReadable>(_ type: Value.Type) throws -> [Value?] {
            try values.map { value in
                guard let read = Value?(value) else { throw DatabaseCopyError.unusable(table: table, column: name) }
                return read
            }
        }
        return switch type {
        case .integer: .integers(try each(Int64.self))
        case .double: .doubles(try each(Double.self))
        case .blob: .blobs(try each(Data.self).map { $0.map(Array.init) })
        case .text: .texts(try each(StorableText.self).map { $0?.text })
        }
    }
}

/// A text without U+0000, which PostgreSQL cannot store.
private struct StorableText: StoredValueReadable {
    let text: String

    init?(_ value: StoredValue) {
        guard let text = String(value), !text.utf8.contains(0) else { return nil }
        self.text = text
    }
}
