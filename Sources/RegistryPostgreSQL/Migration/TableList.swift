import PostgreSQL
import Syntax

/// The tables of a database with their columns, in an order in which each follows those that it refers to.
struct TableList {
    struct Table: Hashable {
        let name: String
        var columns: [Column] = []
        /// The tables that it refers to, besides itself.
        var referred: Set<String> = []

        var quoted: String { quotedName(name) }
    }

    struct Column: Hashable {
        let name: String
        /// As in `bigint`.
        let type: String
        let hasDefault: Bool
        let isIdentity: Bool

        var quoted: String { quotedName(name) }
    }

    /// - Throws: an error of the database; ``DatabaseCopyError`` if tables refer to each other in a circle.
    static func read(from connection: Connection) throws -> [Table] {
        var tables: [String: Table] = [:]
        try connection.visit(
            """
            SELECT c.relname, a.attname, format_type(a.atttypid, NULL), a.atthasdef OR a.attidentity <> '',
                a.attidentity <> ''
            FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0
                AND NOT a.attisdropped
            ORDER BY c.relname, a.attnum
            """
        ) { row in
            let name = row.text(0) ?? ""
            let column = Column(
                name: row.text(1) ?? "", type: row.text(2) ?? "", hasDefault: row.integer(3) == 1,
                isIdentity: row.integer(4) == 1)
            tables[name, default: Table(name: name)].columns.append(column)
            return true
        }
        try connection.visit(
            """
            SELECT c.relname, r.relname FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid
                JOIN pg_class AS r ON r.oid = k.confrelid
            WHERE k.contype = 'f' AND c.relnamespace = current_schema()::regnamespace AND c.oid <> r.oid
            """
        ) { row in
            if let name = row.text(0), let referred = row.text(1) { tables[name]?.referred.insert(referred) }
            return true
        }
        return try inOrder(Array(tables.values))
    }

    static func inOrder(_ tables: [Table]) throws -> [Table] {
        var waiting = tables.sorted { $0.name < $1.name }
        var placed: [Table] = []
        var names: Set<String> = []
        while !waiting.isEmpty {
            let ready = waiting.filter { $0.referred.isSubset(of: names) }
            guard !ready.isEmpty else { throw DatabaseCopyError.different(table: waiting[0].name) }
            placed += ready
            names.formUnion(ready.map(\.name))
            waiting.removeAll { names.contains($0.name) }
        }
        return placed
    }
}

/// A name as an identifier of SQL, whatever it contains.
private func quotedName(_ name: String) -> String { "\"" + name.replacing(scalars: ["\"": "\"\""]) + "\"" }
