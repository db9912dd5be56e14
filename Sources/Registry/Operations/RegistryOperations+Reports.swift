public import RegistryAPI

extension RegistryOperations {
    /// Opens a report; a time a little ahead of this clock counts as now.
    public func openReport(
        _ draft: MissingReportDraft, on bike: BikeID, of owner: OwnerID, once: OnceKey?
    ) async throws -> MissingReport {
        var entropy = entropy
        let now = clock.now
        let report = MissingReport(
            id: ReportID(at: now, using: &entropy), bike: bike, opened: now,
            missingSince: min(draft.missingSince ?? now, now), lastPlace: draft.lastPlace,
            policeReference: draft.policeReference, note: draft.note
        )
        return try await store.openReport(report, by: owner, once: once)
    }

    public func closeReport(
        _ id: ReportID, on bike: BikeID, of owner: OwnerID, _ closure: ReportClosure, once: OnceKey?
    ) async throws -> MissingReport {
        try await store.closeReport(id, on: bike, by: owner, closure: closure, at: clock.now, once: once)
    }

    public func report(_ id: ReportID, on bike: BikeID, of owner: OwnerID) async throws -> MissingReport {
        guard let report = try await store.report(id, on: bike, of: owner) else { throw DomainError.notFound("report") }
        return report
    }

    public func reports(
        on bike: BikeID, of owner: OwnerID, _ page: PageRequest<ReportID>
    ) async throws -> StoredPage<MissingReport, ReportID> {
        try await store.reports(on: bike, of: owner, page)
    }

    public func sightings(
        of report: ReportID, on bike: BikeID, owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<Sighting, Int64> {
        try await store.sightings(of: report, on: bike, owner: owner, page)
    }
}
