import Dispatch
import GRDB
import Glibc
import OperatingSystem
public import RegistryAPI
package import RegistryRules
package import RegistrySQL

/// The registry's store in one SQLite file (WAL, `synchronous=FULL`): a confirmed write survives a power loss.
public final class SQLiteRegistryStore: Sendable {
    let pool: DatabasePool
    private let transactions = PooledTransactions()
    let tokens = TokenCache()
    let listVersion = RememberedVersion()
    package let signals = StoreSignals()
    /// The quotas of owners for whom no operator has set others.
    package let quotas: Quotas
    /// The lock on the database; nil if another program serves it.
    private let lock: DatabaseLock?
    /// The journal of erasures, in a file next to the database.
    let erasures: Journal<Erasures.Entry>
    /// The journal of revocations, in another file.
    let revocations: Journal<Revocations.Entry>
    let revocationWatch = RevocationWatch()
    private let commits: GroupCommit<SQLiteTransaction>
    private let reads: GroupedReads
    /// Callers' long reads wait here, not in the pool. So some of its five connections are always left for the
    /// registry's own long reads.
    private let longReads = AsyncSemaphore(value: 3)
    let health: StorageHealth
    let backups: BackupRecord

    /// Opens or creates the database and brings its tables up to date.
    ///
    /// - Throws: ``StoreOpenError``.
    public convenience init(path: String, quotas: Quotas = Quotas()) throws(StoreOpenError) {
        try self.init(path: path, migrator: Schema.migrator, quotas: quotas)
    }

    /// Opens a database even if a registry serves it; otherwise the same as ``init(path:quotas:)``. Use this only for
    /// data that the running registry reads on each request: it caches much else in memory.
    ///
    /// - Throws: ``StoreOpenError``.
    public convenience init(besideRegistryAt path: String) throws(StoreOpenError) {
        do {
            try self.init(path: path)
        } catch .inUse {
            try self.init(path: path, migrator: Schema.migrator, isServedElsewhere: true)
        }
    }

    /// - Parameters:
    ///   - migrator: makes and updates the tables; tests give others.
    ///   - isServedElsewhere: whether a registry already serves the database.
    init(
        path: String, migrator: DatabaseMigrator, quotas: Quotas = Quotas(), isServedElsewhere: Bool = false
    ) throws(StoreOpenError) {
        SQLiteLibrary.configure()
        let examination = DatabaseExamination(path: path, migrator: migrator)
        try examination.examine()
        self.quotas = quotas
        lock = isServedElsewhere ? nil : try DatabaseLock(forDatabase: path)
        // Restoring needs the lock, too.
        if !isServedElsewhere { PartialFile.removeLeftovers(beside: FilePlace.resolved(path)) }
        erasures = Journal(path: path + ".erasures")
        revocations = Journal(path: Self.revocationJournal(of: path))
        do {
            // It holds the secrets that sign webhooks. SQLite gives its other files the same permissions.
            try PrivateFile.create(path)
        } catch {
            throw .notWritable(path, errno: error.code)
        }
        health = StorageHealth(database: path)
        backups = BackupRecord(ofDatabase: path)
        do {
            pool = try DatabasePool(path: FilePlace.absolute(path), configuration: Self.configuration)
            try Self.makeDurable(pool)
            try examination.check(try pool.read(migrator.appliedIdentifiers))
            if isServedElsewhere {
                guard try pool.read(migrator.hasCompletedMigrations) else { throw StoreOpenError.inUse(path: path) }
            } else {
                try migrator.migrate(pool)
            }
            try pool.writeWithoutTransaction(tokens.watch)
        } catch let error as StoreOpenError {
            throw error
        } catch {
            throw StoreOpenError(error, path: path)
        }
        let writer = DispatchQueue(label: "registry.writer")
        let connection = WritingConnection(
            pool: pool, transactions: transactions, tokens: tokens, listVersion: listVersion,
            revocations: revocationWatch, signals: signals, health: health)
        commits = GroupCommit { commits in
            writer.async { _ = commits.commit(on: connection) }
        }
        do {
            reads = GroupedReads(
                connection: try DatabaseQueue(path: pool.path, configuration: Self.readingConfiguration),
                transactions: transactions)
            try pool.writeWithoutTransaction(watchRevocations)
            guard !isServedElsewhere else {
                try beginRevocations()
                return
            }
            try replayErasuresAtOpening()
            try replayRevocationsAtOpening()
        } catch {
            throw StoreOpenError(error, path: path)
        }
    }

    deinit { transactions.close() }

    /// Waits for the work in progress, closes the connections, and lets another registry use the database. Afterwards each
    /// operation fails.
    ///
    /// Otherwise the last thread that uses the store does this, perhaps after all callers have got their results. If
    /// another database has the file's name by then, SQLite removes that one's log.
    public func close() {
        transactions.close()
        do {
            try pool.close()
            // The last: a pool closes its readers after its writer, and they cannot merge and delete SQLite's log.
            try reads.close()
        } catch {
            // A connection is in use after all: whoever uses it keeps the database locked.
            return
        }
        lock?.release()
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "registry"
        configuration.busyMode = .timeout(5)
        // A transaction of ``SQLiteTransaction/run(beginning:_:)`` whose rollback failed must not end the process.
        configuration.allowsUnsafeTransactions = true
        return configuration
    }

    /// For a connection that changes nothing. It is not opened for reading only, because it may be the last that is
    /// closed, which copies the log into the database.
    private static var readingConfiguration: Configuration {
        var configuration = configuration
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA query_only = TRUE") }
        return configuration
    }

    /// Sets `synchronous` to FULL and checks it. DatabasePool sets it to NORMAL when it enters WAL mode, after
    /// `prepareDatabase`, so that FULL can be set only now.
    private static func makeDurable(_ pool: DatabasePool) throws {
        let synchronous = try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
            return try Int.fetchOne(db, sql: "PRAGMA synchronous")
        }
        guard synchronous == 2 else { throw StoreOpenError.notDurable(synchronous: synchronous ?? -1) }
    }

    /// Makes an atomic change, which is on disk when this returns. There is no other way to change the database.
    ///
    /// The change shares its transaction with other callers' changes (``GroupCommit``) and may run twice: it must have
    /// no effect except on the database. The missing list is updated at the end of the group.
    package func write<Result: Sendable>(
        _ change: @escaping @Sendable (SQLiteTransaction) throws -> Result
    ) async throws -> Result {
        try await Self.translatingErrors {
            let result = try await commits.perform(change)
            if revocationWatch.isBehind { try await recordRevocations() }
            return result
        }
    }

    /// Records visits together with other callers' visits; otherwise the same as ``write(_:)``.
    package func record(_ request: RecordRequest) async throws -> [RecordedVisit] {
        try await Self.translatingErrors {
            let recorded = try await commits.record(request)
            if revocationWatch.isBehind { try await recordRevocations() }
            return recorded
        }
    }

    /// Runs a query that takes microseconds: look-ups by key and pages. It shares its snapshot with other callers'
    /// queries (``GroupedReads``).
    package func read<Result: Sendable>(
        _ query: @escaping @Sendable (SQLiteTransaction) throws -> Result
    ) async throws -> Result {
        try await Self.translatingErrors { try await reads.perform(query) }
    }

    /// Runs a query for a caller that may take long; at most three run at a time, in parallel to everything else.
    package func readAtLength<Result: Sendable>(
        _ query: @escaping @Sendable (SQLiteTransaction) throws -> Result
    ) async throws -> Result {
        await longReads.wait()
        defer { longReads.signal() }
        return try await readApart(query)
    }

    /// Does the same as ``readAtLength(_:)`` for internal tasks that run one at a time; they do not wait for callers'
    /// reads.
    func readApart<Result: Sendable>(
        _ query: @escaping @Sendable (SQLiteTransaction) throws -> Result
    ) async throws -> Result {
        try await Self.translatingErrors { [pool, transactions] in
            try await pool.read { try query(transactions.on($0)) }
        }
    }

    /// Errors of the disk or the file become `storageUnavailable` for the operator; all others are unchanged.
    private static func translatingErrors<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as DatabaseError where error.isStorageFailure {
            throw DomainError.storageUnavailable("\(error.resultCode): \(error.message ?? "")")
        }
    }

    public func checkReadiness() async throws {
        try health.checkSpace()
        try await Self.translatingErrors {
            // After a failure, only a change that reaches the disk shows that the next one will, too. Otherwise the
            // change is not kept, so that probes do not wear out the disk.
            guard !health.hasFailed else { return try await commits.perform(Self.touchMissingList) }
            try await pool.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    try Self.touchMissingList(SQLiteTransaction(db))
                    return .rollback
                }
            }
        }
    }

    /// Writes a row without changing it, which needs the disk like any change.
    private static func touchMissingList(_ db: SQLiteTransaction) throws {
        try db.run("UPDATE missing_list SET version = version", [])
    }
}
