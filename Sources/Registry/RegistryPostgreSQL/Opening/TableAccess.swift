import PostgreSQL
import RegistrySQL

/// Checks that a database is a registry’s, or empty, and that its user has the rights that a registry needs. Otherwise
/// requests would fail later.
struct TableAccess {
    let connection: Connection

    /// Checks a database that no registry has used yet.
    ///
    /// - Throws: ``PostgreSQLOpenError/foreign(table:)``, ``PostgreSQLOpenError/rights(_:)``, ``PostgreSQLError``.
    func examineNew() throws {
        // In one statement, since another registry may be making the tables. What belongs to an extension, such as
        // pg_stat_statements, does no harm.
        let foreign = try first(
            """
            SELECT c.relname FROM pg_class AS c
            WHERE c.relnamespace = to_regnamespace('public') AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
                AND NOT EXISTS (
                    SELECT 1 FROM pg_depend AS d
                    WHERE d.classid = CAST('pg_class' AS regclass) AND d.objid = c.oid AND d.deptype = 'e')
                AND NOT EXISTS (
                    SELECT 1 FROM pg_class AS s
                    WHERE s.relnamespace = c.relnamespace AND s.relname = 'schema_step')
            ORDER BY c.relkind = 'S', c.relname LIMIT 1
            """)
        if let foreign { throw PostgreSQLOpenError.foreign(table: foreign) }
        let denied = try first(
            """
            SELECT CASE WHEN to_regnamespace('public') IS NULL THEN 'there is no schema public'
                ELSE 'CREATE on the schema public' END
            WHERE NOT coalesce(has_schema_privilege(to_regnamespace('public'), 'CREATE'), false)
            """)
        if let denied { throw PostgreSQLOpenError.rights(denied) }
    }

    /// Checks the tables that these steps make, as far as they are there.
    ///
    /// - Throws: ``PostgreSQLOpenError/rights(_:)``, ``PostgreSQLError``.
    func examineTables(of steps: [SchemaStep]) throws {
        let names = Schema.ownTables + steps.flatMap(\.tables).map(\.name)
        let denied = try first(
            """
            SELECT string_agg(missing.name, ', ') || ' on the table ' || c.relname
            FROM pg_class AS c
                CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS missing (name)
            WHERE c.relnamespace = to_regnamespace('public') AND c.relname = ANY (CAST($1 AS text[])) AND c.relkind = 'r'
                AND NOT has_table_privilege(c.oid, missing.name)
            GROUP BY c.relname ORDER BY c.relname LIMIT 1
            """, [.texts(names)])
        if let denied { throw PostgreSQLOpenError.rights(denied) }
    }

    /// The text in the first column of the first row; nil if there is no row.
    private func first(_ sql: String, _ parameters: [Parameter] = []) throws -> String? {
        var text: String?
        try connection.visit(sql, parameters) { row in
            text = row.text(0)
            return false
        }
        return text
    }
}
