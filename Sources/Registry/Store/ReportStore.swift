public import RegistryAPI

/// Missing reports. Every operation throws `roleNeeded` for a member of the bike whose role is too small.
public protocol ReportStore: Sendable {
    /// Opens a report, and increments the missing list's version in the same transaction.
    ///
    /// - Throws: `notFound` if this owner sees no such bike, `reportAlreadyOpen`, `idempotencyKeyReused`.
    func openReport(_ report: MissingReport, by owner: OwnerID, once: IdempotencyKey?) async throws -> MissingReport

    /// Changes a report; a police reference that is added late puts the bike on the missing list again.
    ///
    /// - Throws: `notFound`.
    func changeReport(
        _ id: ReportID, on bike: BikeID, _ patch: MissingReportPatch, by act: OwnerAct
    ) async throws -> MissingReport

    /// Closes a report, notifies the owner on all channels, and increments the missing
    /// list's version in the same transaction.
    ///
    /// - Throws: `notFound`, `reportAlreadyClosed`, `idempotencyKeyReused`.
    func closeReport(
        _ id: ReportID, on bike: BikeID, _ closure: ReportClosure, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> MissingReport

    /// The report, if it belongs to this bike and this owner.
    func report(_ path: ReportPath) async throws -> MissingReport?

    /// A bike's reports, in the order of their opening.
    ///
    /// - Throws: `notFound` if this owner has no such bike.
    func reports(
        on bike: BikeID, of owner: OwnerID, _ page: PageRequest<ReportID>
    ) async throws -> StoredPage<MissingReport, ReportID>
}
