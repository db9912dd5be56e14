public import Evidence
import GRDB
public import Registry
public import RegistryAPI
import RegistrySQL

extension SQLiteRegistryStore {
    public func auditEntries(
        _ filter: AuditFilter, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<AuditEntry, Int64> {
        try await auditEntries(filter, page, window: 50_000)
    }

    /// - Parameter window: the number of entries to scan for one page if no index helps.
    func auditEntries(
        _ filter: AuditFilter, _ page: PageRequest<Int64>, window: Int64
    ) async throws -> StoredPage<AuditEntry, Int64> {
        try await readAtLength { try AuditPages($0).page(filter, page, window: window) }
    }

    public func auditEnd() async throws -> (length: Int64, hash: HashValue) {
        try await read { try AuditTrail($0).end() }
    }

    public func keep(_ checkpoint: SignedCheckpoint, length: Int64) async throws {
        try await write { try AuditVerifier($0).keep(checkpoint, length: length) }
    }

    public func auditCheckpoints(_ page: PageRequest<Int64>) async throws -> StoredPage<SignedCheckpoint, Int64> {
        try await read { try AuditVerifier($0).checkpoints(page) }
    }

    public func verifyAudit(
        _ range: ClosedRange<Int64>?, against checkpoints: [Checkpoint]
    ) async throws -> AuditVerification {
        try await readAtLength { try AuditVerifier($0).verify(range, against: checkpoints) }
    }

    /// Verifies the audit of a database, even while a registry serves it, without changing anything.
    ///
    /// - Parameter keys: the public keys, one of which must have signed each stored checkpoint; nil if no key is known.
    /// - Throws: ``ChainWalk/Fault``, ``StoreOpenError``.
    public static func verifyAudit(
        inDatabaseAt path: String, _ range: ClosedRange<Int64>? = nil, against checkpoints: [Checkpoint] = [],
        keys: [PublicKey]? = nil
    ) throws -> AuditVerification {
        var configuration = Configuration()
        configuration.readonly = true
        do {
            return try DatabaseQueue(path: FilePlace.absolute(path), configuration: configuration).read { db in
                try AuditVerifier(db).verify(range, against: checkpoints, keys: keys)
            }
        } catch let error as DatabaseError {
            throw StoreOpenError.unreadable(path: path, message: "\(error)")
        }
    }

    public func recordGrowth(
        of report: ReportID, on bike: BikeID, owner: OwnerID, limit: Int, at time: Timestamp
    ) async throws {
        try await write { db in
            try EvidenceReading(db, of: report, on: bike, owner: owner, limit: limit).recordGrowth(at: time)
        }
    }

    public func evidence(
        of report: ReportID, on bike: BikeID, owner: OwnerID, limit: Int
    ) async throws -> EvidenceContent {
        try await readAtLength { try EvidenceReading($0, of: report, on: bike, owner: owner, limit: limit).content() }
    }
}
