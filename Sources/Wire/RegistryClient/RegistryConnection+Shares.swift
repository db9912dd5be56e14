import HTTPClient
public import RegistryAPI

// Requests about links to a search.
extension RegistryConnection {
    public func createShare(
        _ draft: ShareDraft, on bike: BikeID, idempotencyKey: String = newIdempotencyKey
    ) async throws -> ShareCreated {
        try await post("/v1/bikes/\(bike)/shares", draft, idempotencyKey: idempotencyKey)
    }

    public func shares(on bike: BikeID, after cursor: String? = nil) async throws -> Page<Share> {
        try await get("/v1/bikes/\(bike)/shares" + Self.query(cursor))
    }

    public func revokeShare(_ share: ShareID, on bike: BikeID) async throws {
        try await delete("/v1/bikes/\(bike)/shares/\(share)")
    }
}
