import GRDB
import PostgreSQL
import RegistrySQL
import RegistrySQLite
import TestSupport
import Testing

@testable import RegistryPostgreSQL

@Suite("The tables are the same as SQLite's")
struct SchemaTests {
    /// What one database says of its tables, line by line.
    private typealias Facts = Set<String>

    /// PostgreSQL's types of SQLite's.
    private static let types = Column.types.mapValues(\.name)

    @Test("the description has all tables and columns, in their order, and no others")
    func described() async throws {
        let described = Set(
            Schema.tables.flatMap { table in
                table.columns.enumerated().map { "\(table.name) | \($0) | \($1.name) | \($1.type.name)" }
            })
        let sqlite = try await sqlite(
            """
            SELECT m.name, c.cid, c.name, c.type
            FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table'
            """
        ) { row in
            let type: String = row[3]
            return [row[0], "\(row[1] as Int)", row[2], Self.types[type] ?? type]
        }
        #expect(sqlite == described, "\(sqlite.symmetricDifference(described).sorted())")
        let postgresql = try await postgresql(
            """
            SELECT table_name::text, (ordinal_position - 1)::text, column_name::text, data_type::text
            FROM information_schema.columns WHERE table_schema = current_schema()
            """, 4)
        #expect(postgresql == described, "\(postgresql.symmetricDifference(described).sorted())")
    }

    @Test("tables and columns, with types, NOT NULL and defaults")
    func columns() async throws {
        let sqlite = try await sqlite(
            """
            SELECT m.name, c.name, c.type, c."notnull" OR c.pk > 0, coalesce(c.dflt_value, '')
            FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table'
            """
        ) { row in
            let type: String = row[2]
            return [row[0], row[1], Self.types[type] ?? type, row[3] as Bool ? "NOT NULL" : "", row[4]]
        }
        let postgresql = try await postgresql(
            """
            SELECT table_name::text, column_name::text, data_type::text,
                CASE is_nullable WHEN 'NO' THEN 'NOT NULL' ELSE '' END, coalesce(replace(column_default, '::text', ''), '')
            FROM information_schema.columns WHERE table_schema = current_schema()
            """, 5)
        #expect(sqlite == postgresql, "\(sqlite.symmetricDifference(postgresql).sorted())")
    }

    @Test("texts are compared byte by byte")
    func collations() async throws {
        let other = try await postgresql(
            """
            SELECT table_name::text, column_name::text, coalesce(collation_name, 'default')::text
            FROM information_schema.columns
            WHERE table_schema = current_schema() AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'
            """, 3)
        #expect(other.isEmpty, "\(other.sorted())")
    }

    @Test("constraints: primary keys, unique columns, and conditions")
    func constraints() async throws {
        let sqlite = try await sqlite("SELECT name, sql FROM sqlite_master WHERE type = 'table'") { row in
            let sql: String = row[1]
            let counts = ["PRIMARY KEY", "UNIQUE", "CHECK ("].map { sql.split(separator: $0).count - 1 }
            return [row[0]] + counts.map { "\($0)" }
        }
        let postgresql = try await postgresql(
            """
            SELECT c.relname::text, (count(*) FILTER (WHERE contype = 'p'))::text,
                (count(*) FILTER (WHERE contype = 'u'))::text, (count(*) FILTER (WHERE contype = 'c'))::text
            FROM pg_class AS c LEFT JOIN pg_constraint AS k ON k.conrelid = c.oid
            WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace GROUP BY c.relname
            """, 4)
        #expect(sqlite == postgresql, "\(sqlite.symmetricDifference(postgresql).sorted())")
    }

    @Test("indexes, with their columns, and whether they are unique or partial")
    func indexes() async throws {
        let sqlite = try await sqlite(
            """
            SELECT m.tbl_name, m.name, (SELECT group_concat(name) FROM pragma_index_info(m.name)), l."unique", l.partial
            FROM sqlite_master AS m JOIN pragma_index_list(m.tbl_name) AS l ON l.name = m.name
            WHERE m.type = 'index' AND m.sql IS NOT NULL
            """
        ) { row in [row[0], row[1], row[2], "\(row[3] as Bool)", "\(row[4] as Bool)"] }
        let postgresql = try await postgresql(
            """
            SELECT t.relname::text, c.relname::text, (
                    SELECT string_agg(a.attname, ',' ORDER BY k.place)
                    FROM unnest(i.indkey) WITH ORDINALITY AS k (number, place)
                    JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number
                ), CASE WHEN i.indisunique THEN 'true' ELSE 'false' END,
                CASE WHEN i.indpred IS NULL THEN 'false' ELSE 'true' END
            FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_class AS t ON t.oid = i.indrelid
            WHERE c.relnamespace = current_schema()::regnamespace
                AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = i.indexrelid AND contype IN ('p', 'u'))
            """, 5)
        #expect(sqlite == postgresql, "\(sqlite.symmetricDifference(postgresql).sorted())")
    }

    @Test("references, and what happens to a row whose referred row is deleted")
    func references() async throws {
        let sqlite = try await sqlite(
            """
            SELECT m.name, f."from", f."table", f.on_delete
            FROM sqlite_master AS m JOIN pragma_foreign_key_list(m.name) AS f WHERE m.type = 'table'
            """
        ) { row in [row[0], row[1], row[2], row[3]] }
        let postgresql = try await postgresql(
            """
            SELECT c.relname::text, a.attname::text, r.relname::text,
                CASE k.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' ELSE 'NO ACTION' END
            FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid JOIN pg_class AS r ON r.oid = k.confrelid
            JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
            WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace
            """, 4)
        #expect(sqlite == postgresql, "\(sqlite.symmetricDifference(postgresql).sorted())")
    }

    @Test("triggers")
    func triggers() async throws {
        let sqlite = try await sqlite("SELECT tbl_name, name FROM sqlite_master WHERE type = 'trigger'") { row in
            [row[0], row[1]]
        }
        let postgresql = try await postgresql(
            """
            SELECT c.relname::text, t.tgname::text FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
            WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace
            """, 2)
        let own: Facts = [
            "audit | audit_counted", "audit | audit_keeps_all_entries",
            "audit_checkpoint | audit_keeps_all_checkpoints",
        ]
        #expect(sqlite == postgresql.subtracting(own), "\(sqlite.symmetricDifference(postgresql).sorted())")
        #expect(own.isSubset(of: postgresql))
    }

    private func sqlite(_ sql: String, _ facts: @escaping @Sendable (GRDB.Row) -> [String]) async throws -> Facts {
        let folder = try TemporaryFolder()
        let path = folder.file("registry.sqlite")
        _ = try SQLiteRegistryStore(path: path)
        let known = try await DatabaseQueue(path: path).read { try GRDB.Row.fetchAll($0, sql: sql).map(facts) }
            .filter { $0[0] != "grdb_migrations" && $0[0] != "sqlite_sequence" }
        return withExtendedLifetime(folder) { Set(known.map { $0.joined(separator: " | ") }) }
    }

    private func postgresql(_ sql: String, _ columns: Int) async throws -> Facts {
        try await TestDatabase.withConnection { connection in
            var facts: Facts = []
            try connection.visit(sql) { row in
                let values = (0..<columns).map { row.text($0) ?? "" }
                if !Schema.ownTables.contains(values[0]) { facts.insert(values.joined(separator: " | ")) }
                return true
            }
            return facts
        }
    }
}
