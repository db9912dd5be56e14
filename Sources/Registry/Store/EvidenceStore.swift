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
    /// - Parameters:
    ///   - limit: the maximum number of sightings, of audit entries, and of spans of coverage; the newest if there are
    ///     more.
    ///   - time: the current time.
    /// - Throws: `notFound` if this owner has no such report on this bike.
    func evidence(
        of report: ReportPath, limit: Int, at time: Timestamp
    ) async throws -> EvidenceContent
}
