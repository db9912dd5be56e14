import PostgreSQL
public import RegistryAPI
package import RegistryRules
package import RegistrySQL

/// The registry's store in a PostgreSQL database, which several processes can use.
///
/// One connection commits groups of changes (``WritingConnection``), a few answer short queries, and others long ones.
/// All of them are connections to the primary: a standby may be behind.
public final class PostgreSQLRegistryStore: Sendable {
    package let signals = StoreSignals()
    /// The quotas of owners for whom no operator has set others.
    package let quotas: Quotas
    let pools: Pools
    let server: PostgreSQLServer
    /// The journals of this process; nil if it keeps none.
    let journals: Journals?
    private let texts = StatementTexts()
    /// Commits the groups of ``commits``.
    let writer: GroupWriter
    private let commits: GroupCommit<PostgreSQLTransaction>
    private let reads: GroupedReads
    let credentials: CredentialLookups

    /// Opens a database and brings its tables up to date.
    ///
    /// - Parameters:
    ///   - mayChangeTables: whether to bring them up to date; if not, a database whose tables are not is refused.
    ///   - note: called with a description before work that may take long.
    /// - Throws: ``PostgreSQLOpenError``.
    public static func open(
        _ server: PostgreSQLServer, quotas: Quotas = Quotas(), mayChangeTables: Bool = true,
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> PostgreSQLRegistryStore {
        do {
            let pools = Pools(server.connection, patience: server.patience)
            do {
                try await pools.writing.use { connection in
                    try server.examine(connection)
                    let migration = Migration(connection: connection)
                    if mayChangeTables { try migration.run(note: note) } else { try migration.requireTables() }
                }
            } catch {
                await pools.shutDown()
                throw error
            }
            return PostgreSQLRegistryStore(server, pools, quotas: quotas)
        } catch {
            throw PostgreSQLOpenError(error)
        }
    }

    private init(_ server: PostgreSQLServer, _ pools: Pools, quotas: Quotas) {
        self.server = server
        self.pools = pools
        journals = server.journal.map { Journals(path: $0) }
        self.quotas = quotas
        let writer = GroupWriter(server, pools.writing, texts, signals)
        self.writer = writer
        commits = GroupCommit { commits in
            Task { await writer.commit(commits) }
        }
        reads = GroupedReads(pool: pools.reading, lanes: Pools.readers, texts: texts)
        credentials = CredentialLookups(pool: pools.reading, texts: texts)
    }

    /// Finishes the work in progress, and closes the connections; if the task is cancelled, it only stops waiting for that.
    /// Afterwards each operation fails.
    public func close() async { await pools.shutDown() }

    /// Makes an atomic change, which is on disk when this returns, and on the standby's disk if there is one. Its
    /// erasures and revocations are then in the journals, too.
    ///
    /// The change shares its transaction with other callers' changes (``GroupCommit``) and may run several times: it
    /// must have no effect except on the database. The missing list is updated at the end of the group.
    package func write<Result: Sendable>(
        _ change: @escaping @Sendable (PostgreSQLTransaction) throws -> Result
    ) async throws -> Result {
        guard let journals else { return try await writeUnnoted(change) }
        let (result, isNoted) = try await writeUnnoted { db in
            let result = try change(db)
            return (result, try !db.hasChanged || journals.watch.knowsAll(of: db))
        }
        if !isNoted { try await record(in: journals) }
        return result
    }

    /// Does the same without writing the journals, for changes that they already contain.
    func writeUnnoted<Result: Sendable>(
        _ change: @escaping @Sendable (PostgreSQLTransaction) throws -> Result
    ) async throws -> Result {
        try await StoreErrors.translating { try await commits.perform(change) }
    }

    /// Records visits together with other callers' visits; otherwise the same as ``write(_:)``.
    package func record(_ request: RecordRequest) async throws -> [RecordedVisit] {
        try await StoreErrors.translating { try await commits.record(request) }
    }

    /// Runs a query that takes little time: look-ups by key and pages. It shares its snapshot with other callers'
    /// queries (``GroupedReads``).
    package func read<Result: Sendable>(
        _ query: @escaping @Sendable (PostgreSQLTransaction) throws -> Result
    ) async throws -> Result {
        try await StoreErrors.translatingReads { try await reads.perform(query) }
    }

    /// Runs a query for a caller that may take long; as many run at a time as there are connections for them.
    package func readAtLength<Result: Sendable>(
        _ query: @escaping @Sendable (PostgreSQLTransaction) throws -> Result
    ) async throws -> Result {
        try await readAtLength(.whole, query)
    }

    /// The same with a choice of how rows arrive.
    ///
    /// - Parameter fetching: how the rows of the statements arrive.
    func readAtLength<Result: Sendable>(
        _ fetching: PostgreSQLTransaction.Fetching,
        _ query: @escaping @Sendable (PostgreSQLTransaction) throws -> Result
    ) async throws -> Result {
        try await readPatiently(on: pools.readingAtLength, fetching, query)
    }

    /// Does the same as ``readAtLength(_:)`` for internal reads; callers' reads do not delay it.
    ///
    /// - Parameter fetching: how the rows of the statements arrive.
    func readApart<Result: Sendable>(
        _ fetching: PostgreSQLTransaction.Fetching = .whole,
        _ query: @escaping @Sendable (PostgreSQLTransaction) throws -> Result
    ) async throws -> Result {
        try await readPatiently(on: pools.sharing, fetching, query)
    }

    /// Runs a query in a transaction of its own, and again if the tables were changed meanwhile.
    private func readPatiently<Result: Sendable>(
        on pool: ConnectionPool, _ fetching: PostgreSQLTransaction.Fetching,
        _ query: @escaping @Sendable (PostgreSQLTransaction) throws -> Result
    ) async throws -> Result {
        try await StoreErrors.translatingReads {
            try await pool.read { [texts] connection in
                var attempt = 1
                while true {
                    do {
                        return try connection.transaction(GroupedReads.mode) {
                            try query(PostgreSQLTransaction($0, texts, fetching))
                        }
                    } catch let error as PostgreSQLError
                        where error.isStaleStatement && attempt < GroupedReads.attempts
                    {
                        attempt += 1
                    }
                }
            }
        }
    }
}
