package import Registry
package import RegistryAPI

extension SQLRegistryStore {
    public func memberships(of owner: OwnerID) async throws -> [Membership] {
        try await read { try OwnerExports($0, of: owner).memberships() }
    }

    public func exportedBikes(
        of owner: OwnerID, at time: Timestamp, _ page: PageRequest<BikeID>
    ) async throws -> StoredPage<OwnerExport.ExportedBike, BikeID> {
        try await readAtLength { try OwnerExports($0, of: owner).bikes(at: time, page) }
    }

    public func formerBikes(
        of owner: OwnerID, _ page: PageRequest<BikeID>
    ) async throws -> StoredPage<BikeID, BikeID> {
        try await readAtLength { try OwnerExports($0, of: owner).formerBikes(page) }
    }

    public func exportedHistory(
        of bike: BikeID, owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<BikeEvent, Int64> {
        try await readAtLength { try OwnerExports($0, of: owner).history(of: bike, page) }
    }

    public func exportedReports(
        on bike: BikeID, owner: OwnerID, _ page: PageRequest<ReportID>
    ) async throws -> StoredPage<OwnerExport.ExportedReport, ReportID> {
        try await readAtLength { try OwnerExports($0, of: owner).reports(on: bike, page) }
    }

    public func exportedSightings(
        of report: ReportID, owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<Sighting, Int64> {
        try await readAtLength { try OwnerExports($0, of: owner).sightings(of: report, page) }
    }

    public func exportedConversations(
        of bike: BikeID, owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<Conversation, Int64> {
        try await readAtLength { try OwnerExports($0, of: owner).conversations(of: bike, page) }
    }

    public func activity(
        of owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<AuditEntry.Event, Int64> {
        try await readAtLength { try OwnerExports($0, of: owner).activity(page) }
    }
}
