public import Evidence
public import RegistryAPI

/// The data for evidence packs.
public protocol EvidenceStore: Sendable {
    /// Makes the audit commit to the current data of the newest sightings of a report.
    ///
    /// - Throws: `notFound` if this owner has no such report on this bike.
    func recordGrowth(
        of report: ReportPath, limit: Int, at time: Timestamp
    ) async throws

    /// The content of a pack about a report, from a single snapshot.
    ///
    /// - Parameter limit: the maximum number of sightings, and of audit entries; the newest if there are more.
    /// - Throws: `notFound` if this owner has no such report on this bike.
    func evidence(
        of report: ReportPath, limit: Int
    ) async throws -> EvidenceContent
}
