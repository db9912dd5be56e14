public import Evidence
import GRDB
public import MissingList
public import RegistryAPI
public import RegistryRules
public import RegistrySQL

// The operations that depend on the engine's caches, on its connections or on SQLite.
extension SQLiteRegistryStore: RegistryStore {
    public func credential(token: SecretDigest) async throws -> Credential? {
        let (known, generation) = tokens.credential(of: token)
        if let known { return known }
        guard let found = try await read({ try Tokens($0).credential(token: token) }) else { return nil }
        // Another program may revoke an operator's token, and operators send few requests. A partner's is in another
        // table.
        if ![.operator, .partner].contains(found.principal.kind) { tokens.keep(found, of: token, readIn: generation) }
        return found
    }

    public func missingListVersion() async throws -> ListVersion {
        try await listVersion.version { try await read { try MissingListJournal($0).version() } }
    }

    public func missingList() async throws -> MissingListSnapshot {
        try await readApart { try MissingListJournal($0).list() }
    }

    public func statistics(silentBefore: Timestamp) async throws -> RegistryStatistics {
        try await readAtLength { db in
            try Statistics(db).read(silentBefore: silentBefore, databaseBytes: try Self.size(of: db))
        }
    }

    public func overviewNumbers(at time: Timestamp, silentBefore: Timestamp) async throws -> OverviewNumbers {
        try await readAtLength { [health, backups] db in
            let sizes = Overview.Database(
                bytes: try Self.size(of: db), logBytes: health.logBytes,
                freeBytes: Int64(clamping: try health.freeBytes()))
            return try OverviewCounts(db).read(
                at: time, silentBefore: silentBefore, database: sizes, backup: backups.taken)
        }
    }

    /// The size of the database in bytes, without its log.
    private static func size(of db: SQLiteTransaction) throws -> Int64 {
        try (db.integer("PRAGMA page_count", []) ?? 0) * (db.integer("PRAGMA page_size", []) ?? 0)
    }

    /// Verifies the audit of a database, even while a registry serves it, without changing its content.
    ///
    /// - Parameter keys: the public keys, one of which must have signed each stored checkpoint; nil if no key is known.
    /// - Throws: ``ChainWalk/Fault``, ``StoreOpenError``.
    public static func verifyAudit(
        inDatabaseAt path: String, _ range: ClosedRange<Int64>? = nil, against checkpoints: [Checkpoint] = [],
        keys: [PublicKey]? = nil
    ) throws -> AuditVerification {
        do {
            return try DatabaseQueue.reading(FilePlace.absolute(path)) { queue in
                try queue.read {
                    try AuditVerifier(SQLiteTransaction($0)).verify(range, against: checkpoints, keys: keys)
                }
            }
        } catch let error as DatabaseError {
            throw StoreOpenError.unreadable(path: path, message: "\(error)")
        }
    }
}
