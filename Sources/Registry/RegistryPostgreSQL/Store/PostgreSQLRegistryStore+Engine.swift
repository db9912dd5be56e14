public import MissingList
import PostgreSQL
public import RegistryAPI
public import RegistryRules
public import RegistrySQL

// The operations that depend on the engine's connections or on PostgreSQL.
extension PostgreSQLRegistryStore: RegistryStore {
    public func credential(token: SecretDigest) async throws -> Credential? {
        try await StoreErrors.translatingReads { try await credentials.credential(token: token) }
    }

    public func missingListVersion() async throws -> ListVersion {
        try await read { try MissingListJournal($0).version() }
    }

    public func missingList() async throws -> MissingListSnapshot {
        // It may have a million entries.
        try await readApart(.rowByRow) { try MissingListJournal($0).list() }
    }

    public func eraseOwner(_ owner: Owner, by act: OwnerAct) async throws {
        try await write { try Owners($0).erase(owner, by: act) }
    }

    public func eraseBike(_ bike: Bike, by act: OwnerAct) async throws {
        try await write { try Bikes($0).erase(bike, by: act) }
    }

    public func statistics(silentBefore: Timestamp) async throws -> RegistryStatistics {
        try await readAtLength { db in
            try Statistics(db).read(silentBefore: silentBefore, databaseBytes: try Self.size(of: db))
        }
    }

    public func overviewNumbers(at time: Timestamp, silentBefore: Timestamp) async throws -> OverviewNumbers {
        try await readAtLength { db in
            // The log and the disk belong to the server, which only its operator can examine.
            let sizes = Overview.Database(bytes: try Self.size(of: db))
            return try OverviewCounts(db).read(at: time, silentBefore: silentBefore, database: sizes, backup: nil)
        }
    }

    /// The size of the database in bytes, without the server's log.
    private static func size(of db: PostgreSQLTransaction) throws -> Int64 {
        try db.integer("SELECT pg_database_size(current_database())", []) ?? 0
    }

    public func checkReadiness() async throws {
        // After a failure, only a change that reaches the disk shows that the next one will, too.
        if writer.hasFailed { return try await write { try $0.run("UPDATE missing_list SET version = version", []) } }
        let isReadOnly = try await read { db in
            try db.exists("SELECT 1 WHERE pg_is_in_recovery()", [])
        }
        guard !isReadOnly else { throw DomainError.storageUnavailable("the database’s server is a standby") }
    }
}
