package import RegistryAPI
package import RegistryRules

/// What the registry stores about an owner, in pages for ``OwnerExport``.
///
/// Each page is a separate transaction, which continues after the last key of the previous page. So an export, however
/// slowly it is read, neither holds up changes nor keeps the database from tidying up. Changes made meanwhile may or
/// may not be in it. Each page checks again that the bike or report is still the owner's: one that was handed over
/// meanwhile has no further pages.
///
/// All throw `notFound` once the account is erased.
extension RegistryStore {
    /// The bikes of others of which the owner is a member, at most ``MemberRules/mostMemberships``.
    public func memberships(of owner: OwnerID) async throws -> [Membership] {
        try await read { try OwnerExports($0, of: owner).memberships() }
    }

    /// The owner's bikes, without history, reports and conversations.
    public func exportedBikes(
        of owner: OwnerID, at time: Timestamp, _ page: PageRequest<BikeID>
    ) async throws -> StoredPage<OwnerExport.ExportedBike, BikeID> {
        try await readAtLength { try OwnerExports($0, of: owner).bikes(at: time, page) }
    }

    /// The records that keep the owner's reports of bikes that were handed over.
    public func formerBikes(
        of owner: OwnerID, _ page: PageRequest<BikeID>
    ) async throws -> StoredPage<BikeID, BikeID> {
        try await readAtLength { try OwnerExports($0, of: owner).formerBikes(page) }
    }

    /// The history of a bike, the oldest event first.
    public func exportedHistory(
        of bike: BikeID, owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<BikeEvent, Int64> {
        try await readAtLength { try OwnerExports($0, of: owner).history(of: bike, page) }
    }

    /// The reports of a bike, without sightings.
    public func exportedReports(
        on bike: BikeID, owner: OwnerID, _ page: PageRequest<ReportID>
    ) async throws -> StoredPage<OwnerExport.ExportedReport, ReportID> {
        try await readAtLength { try OwnerExports($0, of: owner).reports(on: bike, page) }
    }

    /// The sightings of a report, in the order in which they were first stored.
    public func exportedSightings(
        of report: ReportID, owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<Sighting, Int64> {
        try await readAtLength { try OwnerExports($0, of: owner).sightings(of: report, page) }
    }

    /// The conversations about a bike, with all messages.
    public func exportedConversations(
        of bike: BikeID, owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<Conversation, Int64> {
        try await readAtLength { try OwnerExports($0, of: owner).conversations(of: bike, page) }
    }

    /// The audit's events about the owner.
    public func activity(
        of owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<AuditEntry.Event, Int64> {
        try await readAtLength { try OwnerExports($0, of: owner).activity(page) }
    }
}
