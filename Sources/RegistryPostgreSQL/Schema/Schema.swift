/// The registry's tables, as today's SQLite tables (`RegistrySQLite/Schema`): the same names of tables, columns, indexes
/// and triggers, so that both databases run the same statements.
///
/// - Each SQLite type has one type here: INTEGER is `bigint`, REAL `double precision`, BLOB `bytea`, and TEXT `text` with
///   the collation "C", which compares bytes as SQLite does. Booleans stay integers 0 and 1.
/// - Keys that SQLite assigns are identity columns. A sequence never gives a key again, even if SQLite without
///   AUTOINCREMENT would; and it leaves gaps where a transaction was rolled back.
/// - SQLite's `WITHOUT ROWID` has no counterpart, because every table here is a heap with indexes.
///
/// Rows refer to each other by integer keys; the public 128-bit identifiers occur once in each table. Times are
/// milliseconds since the Unix epoch. A beacon's identity is its 20 transmitted bytes.
///
/// Names of tables are not qualified. Everything lives in the first schema of the connection's `search_path`.
enum Schema {
    /// The statements of the first step: tables in the order of their references, then triggers.
    static let first: [String] = all(
        stations, owners, operators, tokens, bikes, photos, numbers, members, reports, missingList, sightings, channels,
        alerts, conversations, displays, audit, revocations, shared,
        stationTriggers, ownerTriggers, operatorTriggers, tokenTriggers, photoTriggers, numberTriggers, memberTriggers,
        shareTriggers, missingListTriggers, alertTriggers, conversationTriggers, displayTriggers, auditTriggers
    )

    /// All of these, in order.
    static func all(_ parts: [String]...) -> [String] { parts.flatMap { $0 } }

    /// A trigger and its function, which has the same name. Functions of triggers are parsed when they first run.
    ///
    /// - Parameters:
    ///   - event: what follows the trigger's name, such as `AFTER DELETE ON photo`.
    ///   - unit: ROW or STATEMENT.
    ///   - condition: the condition under which the function is called; it cannot contain a query.
    ///   - body: statements, each with its semicolon.
    static func trigger(
        _ name: String, _ event: String, forEach unit: String = "ROW", when condition: String? = nil, _ body: String
    ) -> [String] {
        [
            """
            CREATE FUNCTION \(name)() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
            \(body)
            RETURN NULL;
            END
            $$
            """,
            """
            CREATE TRIGGER \(name) \(event) FOR EACH \(unit)\(condition.map { " WHEN (\($0))" } ?? "")
            EXECUTE FUNCTION \(name)()
            """,
        ]
    }
}
