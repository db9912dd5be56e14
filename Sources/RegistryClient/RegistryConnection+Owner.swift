public import RegistryAPI

// An owner's calls.
extension RegistryConnection {
    public func createOwner(idempotencyKey: String) async throws -> OwnerCreated {
        try await post("/v1/owners", EmptyBody(), idempotencyKey: idempotencyKey)
    }

    public func owner() async throws -> Owner {
        try await get("/v1/owner")
    }

    public func registerBike(_ draft: BikeDraft, idempotencyKey: String) async throws -> Bike {
        try await post("/v1/bikes", draft, idempotencyKey: idempotencyKey)
    }

    public func bikes(after cursor: String? = nil) async throws -> Page<Bike> {
        try await get("/v1/bikes" + Self.query(cursor))
    }

    public func bike(_ id: BikeID) async throws -> Bike {
        try await get("/v1/bikes/\(id)")
    }

    public func openReport(
        on bike: BikeID, _ draft: MissingReportDraft, idempotencyKey: String
    ) async throws -> MissingReport {
        try await post("/v1/bikes/\(bike)/reports", draft, idempotencyKey: idempotencyKey)
    }

    public func reports(on bike: BikeID, after cursor: String? = nil) async throws -> Page<MissingReport> {
        try await get("/v1/bikes/\(bike)/reports" + Self.query(cursor))
    }

    public func closeReport(
        _ report: ReportID, on bike: BikeID, _ closure: ReportClosure, idempotencyKey: String
    ) async throws -> MissingReport {
        try await post("/v1/bikes/\(bike)/reports/\(report)/closure", closure, idempotencyKey: idempotencyKey)
    }

    public func createChannel(_ draft: ChannelDraft, idempotencyKey: String) async throws -> ChannelCreated {
        try await post("/v1/channels", draft, idempotencyKey: idempotencyKey)
    }

    public func channels(after cursor: String? = nil) async throws -> Page<Channel> {
        try await get("/v1/channels" + Self.query(cursor))
    }

    public func deleteChannel(_ id: ChannelID) async throws {
        try await delete("/v1/channels/\(id)")
    }

    /// All items of a list, page by page.
    public static func all<Item>(_ page: (String?) async throws -> Page<Item>) async throws -> [Item] {
        var items: [Item] = []
        var cursor: String?
        repeat {
            let next = try await page(cursor)
            items += next.items
            cursor = next.next
        } while cursor != nil
        return items
    }

    /// Cursors are made of characters that need no escaping in a URL.
    static func query(_ cursor: String?) -> String {
        cursor.map { "?cursor=\($0)" } ?? ""
    }

    private struct EmptyBody: Encodable {}
}
