import Concurrency
public import RegistryAPI

extension RegistryOperations {
    /// Opens a report; a time slightly ahead of this clock counts as now.
    public func openReport(
        _ draft: MissingReportDraft, on bike: BikeID, of owner: OwnerID, once: IdempotencyKey?
    ) async throws -> MissingReport {
        var entropy = entropy
        let now = clock.now
        let report = MissingReport(
            id: ReportID(at: now, using: &entropy), bike: bike, opened: now,
            missingSince: min(draft.missingSince ?? now, now), lastPlace: draft.lastPlace,
            policeReference: draft.policeReference, policeForce: draft.policeForce, note: draft.note
        )
        var opened = try await store.openReport(report, by: owner, once: once)
        let listing = await rotation.list(bike)
        // Slots that are stored already are heard for a day or two, but no longer.
        let beacon = try? await store.rotatingBeacon(of: bike, for: owner)
        if listing == .unreadable || beacon?.isUnreadable == true { opened.unheard = true }
        alertSignal.wake()
        return opened
    }

    public func changeReport(
        _ id: ReportID, on bike: BikeID, _ patch: MissingReportPatch, by act: OwnerAct
    ) async throws -> MissingReport {
        let report = try await store.changeReport(id, on: bike, patch, by: act)
        alertSignal.wake()
        return report
    }

    public func closeReport(
        _ id: ReportID, on bike: BikeID, _ closure: ReportClosure, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> MissingReport {
        let report = try await store.closeReport(id, on: bike, closure, by: act, once: once)
        alertSignal.wake()
        return report
    }

    public func report(_ path: ReportPath) async throws -> MissingReport {
        guard let report = try await store.report(path) else { throw DomainError.notFound("report") }
        return report
    }
}
