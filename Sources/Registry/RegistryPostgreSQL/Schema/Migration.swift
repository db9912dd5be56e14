import Glibc
import PostgreSQL
import RegistrySQL

/// Brings the tables of a database up to date.
///
/// The table `schema_step` has the completed steps, each with the oldest step whose programs can still use the tables.
/// Processes that start together take turns by an advisory lock, which ends with its connection. Each step is a
/// transaction.
struct Migration {
    let connection: Connection
    var steps = Schema.steps

    /// “findmyb” and a number, in ASCII: other programs that use the database have other keys.
    static let lock: Int64 = 0x66_69_6e_64_6d_79_62_01
    /// How long to wait for another process.
    private static let patience = Duration.seconds(60)
    /// How long one step may take.
    private static let longestStep = Duration.seconds(3600)

    /// What a start would change.
    enum Plan: Sendable {
        case nothing, newTables, changedTables
    }

    /// Checks that this program knows the tables and may use them, without changing them.
    ///
    /// - Throws: ``PostgreSQLOpenError/newerSchema(_:)``, ``PostgreSQLOpenError/unreleasedSchema``,
    ///   ``PostgreSQLOpenError/foreign(table:)``, ``PostgreSQLOpenError/rights(_:)``, ``PostgreSQLError``.
    @discardableResult
    func examine() throws -> Plan {
        let access = TableAccess(connection: connection)
        guard try isTabled() else {
            try access.examineNew()
            return .newTables
        }
        try access.examineTables(of: steps)
        let missing = try missingSteps()
        if missing.isEmpty { return .nothing }
        return missing.count == steps.count ? .newTables : .changedTables
    }

    /// Makes the tables, or changes those of an earlier version.
    ///
    /// - Parameter note: called with a description before work that may take long.
    /// - Throws: ``PostgreSQLOpenError/newerSchema(_:)``, ``PostgreSQLOpenError/unreleasedSchema``,
    ///   ``PostgreSQLOpenError/migrating``, ``PostgreSQLError``.
    func run(note: (String) -> Void = { _ in }) throws {
        // Checked without the lock, so that a starting process does not disturb those that are running.
        if try isTabled(), try missingSteps().isEmpty { return }
        try takeLock(note)
        defer { freeLock() }
        if try !isTabled() {
            try connection.runScript(
                """
                CREATE TABLE schema_step (
                    name text COLLATE "C" PRIMARY KEY,
                    usable_since text COLLATE "C" NOT NULL,
                    done_at timestamptz NOT NULL DEFAULT clock_timestamp()
                )
                """)
        }
        let missing = try missingSteps()
        if !missing.isEmpty { note(missing.startIndex > 0 ? "changing the tables" : "making the tables") }
        for step in missing { try run(step) }
        // After the first step all tables are empty, and are not counted: then PostgreSQL assumes ten pages, and its plans
        // use the indexes. Plans for tables that are known to be empty read whole tables, and prepared statements keep
        // their plans.
        if missing.startIndex > 0, !missing.isEmpty { try analyze() }
    }

    /// Refuses a database whose tables are not those of this version.
    ///
    /// - Throws: ``PostgreSQLOpenError/olderSchema``; what ``examine()`` throws.
    func requireTables() throws {
        guard case .nothing = try examine() else { throw PostgreSQLOpenError.olderSchema }
    }

    /// Whether a registry has made tables.
    private func isTabled() throws -> Bool {
        try connection.integer("SELECT 1 WHERE to_regclass('schema_step') IS NOT NULL") != nil
    }

    /// The steps to run.
    private func missingSteps() throws -> ArraySlice<SchemaStep> {
        var done: [String: String] = [:]
        try connection.visit("SELECT name, usable_since FROM schema_step") { row in
            done[row.text(0) ?? ""] = row.text(1) ?? ""
            return true
        }
        return try Self.missing(of: steps, done: done)
    }

    /// The steps to run. Of the steps that a newer program has done, each must name one that this program knows.
    ///
    /// - Parameter done: the names of the steps that were done, each with the oldest step whose programs can still use
    ///   the tables.
    /// - Throws: ``PostgreSQLOpenError/newerSchema(_:)``, ``PostgreSQLOpenError/unreleasedSchema``.
    static func missing(of steps: [SchemaStep], done: [String: String]) throws -> ArraySlice<SchemaStep> {
        if let first = steps.first, !done.isEmpty, done[first.name] == nil {
            throw PostgreSQLOpenError.unreleasedSchema
        }
        let names = Set(steps.map(\.name))
        let known = steps.prefix { done[$0.name] != nil }
        let foreign = done.filter { !names.contains($0.key) }
        let isOrdered = known.count == done.count - foreign.count && (foreign.isEmpty || known.count == steps.count)
        // A hole among the known steps cannot come from this program’s history either.
        let unusable = isOrdered ? foreign.filter { !names.contains($0.value) } : done
        guard unusable.isEmpty else {
            throw PostgreSQLOpenError.newerSchema(unusable.keys.sorted().joined(separator: ", "))
        }
        return steps.dropFirst(known.count)
    }

    /// Takes a step in a transaction, and notes it.
    private func run(_ step: SchemaStep) throws {
        try connection.transaction { connection in
            let statements = step.statements(in: .postgresql) + (Schema.own[step.name] ?? [])
            try connection.runScript(statements.joined(separator: ";\n"), within: Self.longestStep)
            try step.finish(PostgreSQLTransaction(connection, StatementTexts()))
            try connection.run(
                "INSERT INTO schema_step (name, usable_since) VALUES ($1, $2)",
                [.text(step.name), .text(step.usableSince)])
        }
    }

    /// Counts the rows of tables that are not empty; PostgreSQL uses these numbers for its plans. The numbers of empty
    /// tables stay unknown: for a table that it knows to be empty, PostgreSQL would make plans that read all of it. The
    /// statement names the tables, since without names PostgreSQL warns about each system table, which only its
    /// administrator may analyse.
    func analyze() throws {
        var tables: [String] = []
        try connection.visit(
            """
            SELECT quote_ident(relname) FROM pg_class
            WHERE relkind = 'r' AND relnamespace = CAST(current_schema() AS regnamespace)
                AND pg_relation_size(oid) > 0
            """
        ) { row in
            tables += row.text(0).map { [$0] } ?? []
            return true
        }
        guard !tables.isEmpty else { return }
        try connection.runScript("ANALYZE " + tables.joined(separator: ", "), within: Self.longestStep)
    }

    /// Waits until no other process changes the tables.
    private func takeLock(_ note: (String) -> Void) throws {
        let end = ContinuousClock.now + Self.patience
        var isNoted = false
        // Asked repeatedly, since lock_timeout limits the wait for a lock.
        while try connection.integer("SELECT pg_try_advisory_lock($1)::integer", [.integer(Self.lock)]) != 1 {
            guard ContinuousClock.now < end else { throw PostgreSQLOpenError.migrating }
            if !isNoted { note("waiting for another process that changes the tables") }
            isNoted = true
            usleep(50_000)
        }
    }

    /// Lets other processes change the tables. If that fails, the connection is lost, and with it the lock.
    private func freeLock() {
        _ = try? connection.run("SELECT pg_advisory_unlock($1)", [.integer(Self.lock)])
    }
}
