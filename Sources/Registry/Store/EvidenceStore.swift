public import Evidence
public import RegistryAPI

/// What evidence packs are made of.
public protocol EvidenceStore: Sendable {
    /// Has the audit commit itself to what the newest sightings of a report say by now.
    ///
    /// - Throws: `notFound` where this owner has no such report on this bike.
    func recordGrowth(
        of report: ReportID, on bike: BikeID, owner: OwnerID, limit: Int, at time: Timestamp
    ) async throws

    /// All that a pack tells of a report, read at one moment.
    ///
    /// - Parameter limit: sightings, and audit entries, at most; the newest where there are more.
    /// - Throws: `notFound` where this owner has no such report on this bike.
    func evidence(
        of report: ReportID, on bike: BikeID, owner: OwnerID, limit: Int
    ) async throws -> EvidenceContent
}
