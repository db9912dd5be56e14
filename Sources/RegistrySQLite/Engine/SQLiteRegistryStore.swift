public import Concurrency
import GRDB
public import Registry
public import RegistryAPI
import RegistrySQL

/// The registry's store in one SQLite file (WAL, `synchronous=FULL`): an answered write survives a loss of power.
public final class SQLiteRegistryStore: RegistryStore {
    let pool: DatabasePool
    let tokens = TokenCache<Credential>()
    let listVersion = RememberedVersion()
    public let missingListSignal = WakeUp()
    /// What an owner may have where no operator allows it something else.
    let quotas: Quotas
    /// Nil where another program serves the database.
    private let lock: DatabaseLock?
    let erasures: ErasureJournal
    let revocations: RevocationJournal
    private let commits: GroupCommit
    private let reads: GroupedReads
    /// Callers' long reads wait here, not in the pool, so that of its five connections one is always left for the questions
    /// that are answered in microseconds, and one for the registry's own long reads.
    private let longReads = AsyncSemaphore(value: 3)
    private let health: StorageHealth

    /// Opens or creates the database and brings its tables up to date.
    ///
    /// - Throws: ``StoreOpenError``.
    public convenience init(path: String, quotas: Quotas = Quotas()) throws(StoreOpenError) {
        try self.init(path: path, migrator: Schema.migrator, quotas: quotas)
    }

    /// Opens a database that a registry serves at this moment, or else as ``init(path:quotas:)`` does. Only for what that
    /// registry reads at each call: it keeps much else in its memory.
    ///
    /// - Throws: ``StoreOpenError``.
    public convenience init(besideRegistryAt path: String) throws(StoreOpenError) {
        do {
            try self.init(path: path)
        } catch .inUse {
            try self.init(path: path, migrator: Schema.migrator, isServedElsewhere: true)
        }
    }

    init(
        path: String, migrator: DatabaseMigrator, quotas: Quotas = Quotas(), isServedElsewhere: Bool = false
    ) throws(StoreOpenError) {
        _ = MemoryStatistics.off
        try DatabaseExamination(path: path, migrator: migrator).examine()
        self.quotas = quotas
        lock = isServedElsewhere ? nil : try DatabaseLock(forDatabase: path)
        erasures = ErasureJournal(path: path + ".erasures")
        revocations = RevocationJournal(path: Self.revocationJournal(of: path))
        try DatabaseLock.createFile(path)
        health = StorageHealth(database: path)
        do {
            pool = try DatabasePool(path: FilePlace.absolute(path), configuration: Self.configuration)
            try Self.makeDurable(pool)
            guard try !pool.read(migrator.hasBeenSuperseded) else { throw StoreOpenError.newerSchema(path: path) }
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
        commits = GroupCommit(pool: pool) { [listVersion] db in
            if try MissingListJournal(db).advance() { listVersion.touch() }
        } observe: { [tokens, listVersion, missingListSignal, revocations, health] failure in
            tokens.forgetTouched()
            revocations.endGroup()
            if listVersion.forgetTouched() { missingListSignal.wake() }
            health.note(failure)
        }
        reads = GroupedReads(pool: pool)
        do {
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

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "registry"
        configuration.busyMode = .timeout(5)
        return configuration
    }

    /// DatabasePool sets `synchronous` to NORMAL when it enters WAL mode, after `prepareDatabase`: only now can FULL be
    /// set, and what counts is what is read back.
    private static func makeDurable(_ pool: DatabasePool) throws {
        let synchronous = try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
            return try Int.fetchOne(db, sql: "PRAGMA synchronous")
        }
        guard synchronous == 2 else { throw StoreOpenError.notDurable(synchronous: synchronous ?? -1) }
    }

    /// The only way to change the database: a change that is whole or not at all, on disk when it returns.
    ///
    /// It shares its transaction with other callers' changes (``GroupCommit``) and may be made twice: it must have no
    /// effect but on the database. The missing list follows whatever the group does.
    func write<Result: Sendable>(_ change: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        try await Self.translatingErrors {
            let result = try await commits.perform(change)
            if revocations.isBehind { try await recordRevocations() }
            return result
        }
    }

    /// Reads what takes microseconds: look-ups by key and pages. It shares its snapshot with other callers' questions
    /// (``GroupedReads``).
    func read<Result: Sendable>(_ query: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        try await Self.translatingErrors { try await reads.perform(query) }
    }

    /// Reads what may take long for a caller, three at a time beside everything else.
    func readAtLength<Result: Sendable>(
        _ query: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        await longReads.wait()
        defer { longReads.signal() }
        return try await Self.translatingErrors { [pool] in try await pool.read(query) }
    }

    /// As ``readAtLength(_:)``, for those of whom there is one: they wait for no caller's reads.
    func readApart<Result: Sendable>(_ query: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        try await Self.translatingErrors { try await pool.read(query) }
    }

    /// What the disk or the file refuses is the operator's to repair; everything else stays what it is.
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
            // After a failure only a change that reaches the disk shows that the next one will; otherwise the change is
            // not kept, since probes must not wear the disk.
            guard !health.hasFailed else { return try await commits.perform(Self.touchMissingList) }
            try await pool.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    try Self.touchMissingList(db)
                    return .rollback
                }
            }
        }
    }

    private static func touchMissingList(_ db: Database) throws {
        try db.run("UPDATE missing_list SET version = version", [])
    }
}
