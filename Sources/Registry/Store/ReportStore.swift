public import RegistryAPI

/// Missing reports.
public protocol ReportStore: Sendable {
    /// Opens a report, and in the same transaction counts up the missing list's version.
    ///
    /// - Throws: `notFound` where this owner has no such bike, `reportAlreadyOpen`, `idempotencyKeyReused`.
    func openReport(_ report: MissingReport, by owner: OwnerID, once: OnceKey?) async throws -> MissingReport

    /// Closes a report, and in the same transaction counts up the missing list's version.
    ///
    /// - Throws: `notFound`, `reportAlreadyClosed`, `idempotencyKeyReused`.
    func closeReport(
        _ id: ReportID, on bike: BikeID, by owner: OwnerID, closure: ReportClosure, at time: Timestamp, once: OnceKey?
    ) async throws -> MissingReport

    /// The report, if it is of this bike and this owner.
    func report(_ id: ReportID, on bike: BikeID, of owner: OwnerID) async throws -> MissingReport?

    /// A bike's reports, in the order of their opening.
    ///
    /// - Throws: `notFound` where this owner has no such bike.
    func reports(
        on bike: BikeID, of owner: OwnerID, _ page: PageRequest<ReportID>
    ) async throws -> StoredPage<MissingReport, ReportID>
}
