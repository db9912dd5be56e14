package import Registry
package import RegistryAPI

extension SQLRegistryStore {
    public func addShare(
        _ share: NewShare, on bike: BikeID, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> Share {
        try await write { [quotas] db in try Shares(db).add(share, on: bike, by: act, once: once, quotas) }
    }

    public func shares(
        on bike: BikeID, of owner: OwnerID, _ page: PageRequest<ShareID>
    ) async throws -> StoredPage<Share, ShareID> {
        try await read { try Shares($0).page(on: bike, of: owner, page) }
    }

    public func revokeShare(_ id: ShareID, on bike: BikeID, by act: OwnerAct) async throws {
        try await write { try Shares($0).revoke(id, on: bike, by: act) }
    }

    public func openShare(_ secret: SecretDigest, at time: Timestamp) async throws -> OpenedShare {
        try await read { try SharedSearches($0, secret, at: time).open() }
    }

    public func sharedSightings(
        _ secret: SecretDigest, at time: Timestamp, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<Sighting, Int64> {
        try await read { try SharedSearches($0, secret, at: time).sightings(page) }
    }

    public func sharedChanges(
        _ secret: SecretDigest, at time: Timestamp, after revision: Int64, limit: Int
    ) async throws -> [SightingChange] {
        try await read { try SharedSearches($0, secret, at: time).changes(after: revision, limit: limit) }
    }

    public func sharedPhoto(_ id: PhotoID, _ secret: SecretDigest, at time: Timestamp) async throws -> StoredPhoto {
        try await read { try SharedSearches($0, secret, at: time).photo(id) }
    }

    public func noteViews(_ count: Int, of share: ShareID, at time: Timestamp) async throws {
        try await write { try Shares($0).noteViews(count, of: share, at: time) }
    }
}
