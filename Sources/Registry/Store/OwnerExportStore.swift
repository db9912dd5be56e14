public import RegistryAPI

/// What the registry stores about an owner, in pages for ``OwnerExport``.
///
/// A page is a transaction of its own, which begins after the key of the page before. So an export neither holds up
/// changes nor keeps the database from tidying up, however slowly it is read; what is changed meanwhile may be in it
/// or not. Each page checks again that the bike or report is still the owner's: one that was handed over meanwhile has
/// nothing more to show.
///
/// All throw `notFound` once the account is erased.
public protocol OwnerExportStore: Sendable {
    /// The bikes of others of which the owner is a member, at most ``MemberRules/mostMemberships``.
    func memberships(of owner: OwnerID) async throws -> [Membership]

    /// The owner's bikes, without history, reports and conversations.
    func exportedBikes(
        of owner: OwnerID, at time: Timestamp, _ page: PageRequest<BikeID>
    ) async throws -> StoredPage<OwnerExport.ExportedBike, BikeID>

    /// The records that keep the owner's reports of bikes that were handed over.
    func formerBikes(of owner: OwnerID, _ page: PageRequest<BikeID>) async throws -> StoredPage<BikeID, BikeID>

    func exportedHistory(
        of bike: BikeID, owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<BikeEvent, Int64>

    /// The reports of a bike, without sightings.
    func exportedReports(
        on bike: BikeID, owner: OwnerID, _ page: PageRequest<ReportID>
    ) async throws -> StoredPage<OwnerExport.ExportedReport, ReportID>

    func exportedSightings(
        of report: ReportID, owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<Sighting, Int64>

    /// The conversations about a bike, with all messages.
    func exportedConversations(
        of bike: BikeID, owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<Conversation, Int64>

    /// The audit's events about the owner.
    func activity(of owner: OwnerID, _ page: PageRequest<Int64>) async throws -> StoredPage<AuditEntry.Event, Int64>
}
