package import RegistryAPI
package import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// Opens a report, and puts the bike's beacon on the missing list. A time ahead of this clock counts as now.
    ///
    /// - Returns: the report, marked as `unheard` if stations cannot recognise the bike's rotating beacon.
    package func openReport(
        _ draft: MissingReportDraft, on bike: BikeID, of owner: OwnerID, once: IdempotencyKey?
    ) async throws -> MissingReport {
        var entropy = entropy
        let now = clock.now
        let report = MissingReport(
            id: ReportID(at: now, using: &entropy), bike: bike, opened: now,
            missingSince: min(draft.missingSince ?? now, now), lastPlace: draft.lastPlace,
            policeReference: draft.policeReference, policeForce: draft.policeForce, note: draft.note,
            onlyHere: draft.onlyHere == true ? true : nil
        )
        var opened = try await store.openReport(report, by: owner, newFor: newBeacons, once: once)
        let listing = await rotation.list(bike)
        // Stations can hear the slots that are stored already for a day or two, but no longer.
        let beacon = try? await store.rotatingBeacon(of: bike, for: owner)
        if listing == .unreadable || beacon?.isUnreadable == true { opened.unheard = true }
        return opened
    }

    package func report(_ path: ReportPath) async throws -> MissingReport {
        guard let report = try await store.report(path) else { throw DomainError.notFound("report") }
        return report
    }
}
