package import Evidence
package import Registry
package import RegistryAPI

extension SQLRegistryStore {
    public func auditEntries(
        _ filter: AuditFilter, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<AuditEntry, Int64> {
        try await auditEntries(filter, page, window: 50_000)
    }

    /// - Parameter window: the number of entries to scan for one page if no index helps.
    package func auditEntries(
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

    public func recordGrowth(of report: ReportPath, limit: Int, at time: Timestamp) async throws {
        try await write { try EvidenceReading($0, of: report, limit: limit).recordGrowth(at: time) }
    }

    public func evidence(of report: ReportPath, limit: Int, at time: Timestamp) async throws -> EvidenceContent {
        try await readAtLength { try EvidenceReading($0, of: report, limit: limit).content(at: time) }
    }
}
