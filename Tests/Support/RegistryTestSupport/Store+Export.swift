public import RegistryAPI
import RegistryRules
import RegistrySQL

extension RegistryStore {
    /// Everything that the store has about an owner, read in the smallest pages.
    public func export(of owner: OwnerID, at time: Timestamp) async throws -> OwnerExport {
        guard let account = try await self.owner(owner) else { throw DomainError.notFound("owner") }
        var bikes = try await all { try await exportedBikes(of: owner, at: time, $0) }
        for index in bikes.indices {
            let id = bikes[index].bike.id
            bikes[index].history = try await all { try await exportedHistory(of: id, owner: owner, $0) }
            bikes[index].reports = try await reports(on: id, of: owner)
            bikes[index].conversations = try await all { try await exportedConversations(of: id, owner: owner, $0) }
        }
        var former: [OwnerExport.ExportedReport] = []
        for bike in try await all({ try await formerBikes(of: owner, $0) }) {
            former += try await reports(on: bike, of: owner)
        }
        return OwnerExport(
            exported: time, owner: account, tokens: try await all { try await tokens(of: owner, $0) },
            sessions: try await all { try await sessions(of: owner, at: time, $0) },
            passkeys: try await passkeys(of: owner).map(\.details),
            channels: try await all { try await channels(of: owner, $0) }, bikes: bikes,
            memberships: try await memberships(of: owner), formerReports: former,
            activity: try await all { try await activity(of: owner, $0) })
    }

    private func reports(on bike: BikeID, of owner: OwnerID) async throws -> [OwnerExport.ExportedReport] {
        var reports = try await all { try await exportedReports(on: bike, owner: owner, $0) }
        for index in reports.indices {
            let id = reports[index].report.id
            reports[index].sightings = try await all { try await exportedSightings(of: id, owner: owner, $0) }
        }
        return reports
    }

    /// All items of a list, in pages of one.
    private func all<Item: Sendable, Cursor: Sendable>(
        _ page: (PageRequest<Cursor>) async throws -> StoredPage<Item, Cursor>
    ) async throws -> [Item] {
        var items: [Item] = []
        var after: Cursor?
        repeat {
            let found = try await page(PageRequest(after: after, limit: 1))
            items += found.items
            after = found.next
        } while after != nil
        return items
    }
}
