package import Beacons
package import MissingList
package import RegistryAPI
package import RegistryRules

/// Missing reports. Every operation throws `roleNeeded` for a member of the bike whose role is too small.
extension RegistryStore {
    /// Opens a report, and increments the missing list's version in the same transaction.
    ///
    /// - Parameter newFor: how long a beacon is new after its registration (``MissingReport/newBeacon``).
    /// - Throws: `notFound` if this owner sees no such bike, `reportAlreadyOpen`, `idempotencyKeyReused`.
    public func openReport(
        _ report: MissingReport, by owner: OwnerID, newFor: Duration = .zero, once: IdempotencyKey?
    ) async throws -> MissingReport {
        try await write { [quotas] db in try Reports(db).open(report, by: owner, newFor: newFor, once: once, quotas) }
    }

    /// Changes a report; a police reference that is added late puts the bike on the missing list again.
    ///
    /// - Throws: `notFound`.
    public func changeReport(
        _ id: ReportID, on bike: BikeID, _ patch: MissingReportPatch, by act: OwnerAct
    ) async throws -> MissingReport {
        try await write { [quotas] db in try Reports(db).change(id, on: bike, patch, by: act, quotas) }
    }

    /// Closes a report, notifies the owner on all channels, and increments the missing
    /// list's version in the same transaction.
    ///
    /// - Throws: `notFound`, `reportAlreadyClosed`, `idempotencyKeyReused`.
    public func closeReport(
        _ id: ReportID, on bike: BikeID, _ closure: ReportClosure, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> MissingReport {
        try await write { try Reports($0).close(id, on: bike, closure, by: act, once: once) }
    }

    /// The report, if it belongs to this bike and this owner.
    public func report(_ path: ReportPath) async throws -> MissingReport? {
        try await read { try Reports($0).find(path) }
    }

    /// A bike's reports, in the order of their opening.
    ///
    /// - Throws: `notFound` if this owner has no such bike.
    public func reports(
        on bike: BikeID, of owner: OwnerID, _ page: PageRequest<ReportID>
    ) async throws -> StoredPage<MissingReport, ReportID> {
        try await read { try Reports($0).page(on: bike, of: owner, page) }
    }

    /// The counts of what became of searches, on the day that begins at a time. They change in steps, which this makes.
    public func closedSearches(on day: Timestamp) async throws -> ClosedSearches {
        try await write { try SearchEnds($0).counts(on: day) }
    }

    /// Confirms the police reference of a report, which is then searched for as long as it is open.
    ///
    /// - Throws: `notFound`; `invalidFields` if its reference is a different one.
    public func confirmReference(
        _ reference: String, of report: ReportID, by act: OperatorAct
    ) async throws -> ReportReview {
        try await write { try ReviewedSearches($0).confirmReference(reference, of: report, by: act) }
    }

    /// Takes back the confirmation of a police reference.
    ///
    /// - Throws: `notFound`.
    public func withdrawConfirmation(of report: ReportID, by act: OperatorAct) async throws -> ReportReview {
        try await write { try ReviewedSearches($0).withdrawConfirmation(of: report, by: act) }
    }

    /// Keeps a beacon off the missing list, regardless of its owner.
    ///
    /// - Throws: `notFound` for a beacon that this registry has never known.
    public func stopSearch(
        for beacon: BeaconIdentity, reason: String, by act: OperatorAct
    ) async throws -> BeaconReview {
        try await write { try ReviewedSearches($0).stop(for: beacon, reason: reason, by: act) }
    }

    /// Ends the stop of a beacon.
    ///
    /// - Throws: `notFound`.
    public func allowSearch(for beacon: BeaconIdentity, by act: OperatorAct) async throws -> BeaconReview {
        try await write { try ReviewedSearches($0).allow(for: beacon, by: act) }
    }

    // The steps of ``MaintenanceStore``.

    public func expireReports(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        try await write { try MaintenanceSteps($0).expireReports(limit: limit, at: time, using: entropy) }
    }

    public func announceExpiries(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        try await write { try MaintenanceSteps($0).announceExpiries(limit: limit, at: time, using: entropy) }
    }

    public func suspendReports(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        try await write { try MaintenanceSteps($0).suspendReports(limit: limit, at: time, using: entropy) }
    }

    public func announceSearchEnds(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        try await write { try MaintenanceSteps($0).announceSearchEnds(limit: limit, at: time, using: entropy) }
    }

    public func endBeaconTests(limit: Int, at time: Timestamp) async throws -> Int {
        try await write { try MaintenanceSteps($0).endBeaconTests(limit: limit, at: time) }
    }

    public func recordGrowth(limit: Int, at time: Timestamp) async throws -> Int {
        try await write { try MaintenanceSteps($0).recordGrowth(limit: limit, at: time) }
    }

    public func deleteOldSightings(limit: Int, at time: Timestamp) async throws -> Int {
        try await write { try MaintenanceSteps($0).deleteOldSightings(limit: limit, at: time) }
    }

    public func deleteOldCoverage(limit: Int, at time: Timestamp) async throws -> Int {
        try await write { try Coverage($0).deleteOld(limit: limit, at: time) }
    }

    public func deleteLeftovers(at time: Timestamp) async throws {
        try await write { try MaintenanceSteps($0).deleteLeftovers(at: time) }
    }

    /// The changes from one version to another, or to the latest; nil if the journal does not contain one of them,
    /// because it is too old or from another history.
    public func missingListChanges(
        since version: ListVersion, upTo last: ListVersion?
    ) async throws -> MissingListChanges? {
        try await read { try MissingListJournal($0).changes(since: version, upTo: last) }
    }

    /// Deletes changes of the list from before a moment.
    /// A version's moment is that of the first call after it was made.
    public func forgetMissingListChanges(before moment: Timestamp, now: Timestamp) async throws {
        try await write { try MissingListJournal($0).forget(before: moment, now: now) }
    }
}
