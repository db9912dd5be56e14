package import Evidence
package import RegistryAPI
package import RegistryRules

/// The record of every change. Writing operations append to it in their own transaction; entries are never removed.
extension RegistryStore {
    /// Entries that match the filter, in its order; erased ones only without a filter.
    ///
    /// A page may hold fewer entries than its limit and still not be the last,
    /// since the number of entries searched is bounded.
    public func auditEntries(
        _ filter: AuditFilter, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<AuditEntry, Int64> {
        try await auditEntries(filter, page, window: Self.searchedEntries)
    }

    /// How many entries are searched for one page, unless an index finds them: so no page takes long.
    private static var searchedEntries: Int64 { 50_000 }

    /// The same with another bound on the number of entries searched.
    ///
    /// - Parameter window: the number of entries to scan for one page if no index helps.
    package func auditEntries(
        _ filter: AuditFilter, _ page: PageRequest<Int64>, window: Int64
    ) async throws -> StoredPage<AuditEntry, Int64> {
        try await readAtLength { try AuditPages($0).page(filter, page, window: window) }
    }

    /// The index and the chain’s hash of the last entry; 0 and zero if there is none.
    public func auditEnd() async throws -> (length: Int64, hash: HashValue) {
        try await read { try AuditTrail($0).end() }
    }

    /// Stores a checkpoint of the chain when it had this many entries.
    public func keep(_ checkpoint: SignedCheckpoint, length: Int64) async throws {
        try await write { try AuditVerifier($0).keep(checkpoint, length: length) }
    }

    /// The stored checkpoints, the latest first.
    public func auditCheckpoints(_ page: PageRequest<Int64>) async throws -> StoredPage<SignedCheckpoint, Int64> {
        try await read { try AuditVerifier($0).checkpoints(page) }
    }

    /// Follows the chain through the range and compares every entry with its commitment.
    ///
    /// - Parameters:
    ///   - range: the entries to follow, trusting the hash before them; nil for the whole chain.
    ///   - checkpoints: checkpoints that the chain must agree with, in addition to the stored ones.
    /// - Throws: ``ChainWalk/Fault``.
    public func verifyAudit(
        _ range: ClosedRange<Int64>?, against checkpoints: [Checkpoint]
    ) async throws -> AuditVerification {
        try await readAtLength { try AuditVerifier($0).verify(range, against: checkpoints) }
    }

    /// Makes the audit commit to the current data of the newest sightings of a report.
    ///
    /// - Throws: `notFound` if this owner has no such report on this bike.
    public func recordGrowth(of report: ReportPath, limit: Int, at time: Timestamp) async throws {
        try await write { try EvidenceReading($0, of: report, limit: limit).recordGrowth(at: time) }
    }

    /// The content of a pack about a report, from a single snapshot.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of sightings, of audit entries, and of spans of coverage; the newest if there are
    ///     more.
    ///   - time: the current time.
    /// - Throws: `notFound` if this owner has no such report on this bike.
    public func evidence(of report: ReportPath, limit: Int, at time: Timestamp) async throws -> EvidenceContent {
        try await readAtLength { try EvidenceReading($0, of: report, limit: limit).content(at: time) }
    }
}
