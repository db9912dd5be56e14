import GRDB
public import Registry

/// The registry's store in one SQLite file (WAL, `synchronous=FULL`): an answered write survives a loss of power.
public final class SQLiteRegistryStore: RegistryStore {
    let pool: DatabasePool
    private let lock: DatabaseLock
    let erasures: ErasureJournal

    /// Opens or creates the database and brings its tables up to date.
    ///
    /// - Throws: ``StoreOpenError``.
    public convenience init(path: String) throws(StoreOpenError) {
        try self.init(path: path, migrator: Schema.migrator)
    }

    init(path: String, migrator: DatabaseMigrator) throws(StoreOpenError) {
        lock = try DatabaseLock(forDatabase: path)
        erasures = ErasureJournal(path: path + ".erasures")
        try lock.createFile(path)
        do {
            pool = try DatabasePool(path: path, configuration: Self.configuration)
            try Self.makeDurable(pool)
            guard try !pool.read(migrator.hasBeenSuperseded) else { throw StoreOpenError.newerSchema(path: path) }
            try migrator.migrate(pool)
            try replayErasuresAtOpening()
        } catch let error as StoreOpenError {
            throw error
        } catch {
            throw .unreadable(path: path, message: "\(error)")
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

    /// The only way to change the database: one transaction, on disk when it returns.
    func write<Result: Sendable>(_ change: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        try await Self.translatingErrors { try await pool.write(change) }
    }

    func read<Result: Sendable>(_ query: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        try await Self.translatingErrors { try await pool.read(query) }
    }

    /// What the disk or the file refuses is the operator's to repair; everything else stays what it is.
    private static func translatingErrors<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as DatabaseError where unavailable.contains(error.resultCode) {
            throw DomainError.storageUnavailable("\(error.resultCode): \(error.message ?? "")")
        }
    }

    private static let unavailable: [ResultCode] = [
        .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_CORRUPT,
        .SQLITE_NOTADB, .SQLITE_NOMEM,
    ]

    /// Takes the write lock and changes a row without keeping the change: probes must not wear the disk.
    public func checkReadiness() async throws {
        try await Self.translatingErrors {
            try await pool.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    try db.run("UPDATE missing_list SET version = version", [])
                    return .rollback
                }
            }
        }
    }
}
