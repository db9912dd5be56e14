import HTTPClient
public import RegistryAPI

// Requests about missing reports and about channels for alerts.
extension RegistryConnection {
    public func openReport(
        on bike: BikeID, _ draft: MissingReportDraft, idempotencyKey: String = newIdempotencyKey
    ) async throws -> MissingReport {
        try await post("/v1/bikes/\(bike)/reports", draft, idempotencyKey: idempotencyKey)
    }

    public func reports(on bike: BikeID, after cursor: String? = nil) async throws -> Page<MissingReport> {
        try await get("/v1/bikes/\(bike)/reports" + Self.query(cursor))
    }

    /// How many stations listen for the missing bike, and how often earlier searches were heard.
    public func listeningStations(_ report: ReportID, on bike: BikeID) async throws -> ListeningStations {
        try await get("/v1/bikes/\(bike)/reports/\(report)/stations")
    }

    /// Closes a report, with its outcome.
    public func closeReport(
        _ report: ReportID, on bike: BikeID, _ closure: ReportClosure, idempotencyKey: String = newIdempotencyKey
    ) async throws -> MissingReport {
        try await post("/v1/bikes/\(bike)/reports/\(report)/closure", closure, idempotencyKey: idempotencyKey)
    }

    public func changeReport(
        _ report: ReportID, on bike: BikeID, _ patch: MissingReportPatch, recoveryCode: String? = nil
    ) async throws -> MissingReport {
        let path = "/v1/bikes/\(bike)/reports/\(report)"
        let request = request(
            .patch, path, headers: Self.confirmation(recoveryCode), body: try Self.encode(patch))
        return try Self.decode(await answer(to: request, isRepeatable: true))
    }

    /// Creates a channel. The response has the secret of a webhook, which is shown only once.
    public func createChannel(
        _ draft: ChannelDraft, idempotencyKey: String = newIdempotencyKey
    ) async throws -> ChannelCreated {
        try await post("/v1/channels", draft, idempotencyKey: idempotencyKey)
    }

    public func channels(after cursor: String? = nil) async throws -> Page<Channel> {
        try await get("/v1/channels" + Self.query(cursor))
    }

    public func channel(_ id: ChannelID) async throws -> Channel {
        try await get("/v1/channels/\(id)")
    }

    /// Replaces a channel's address and its rules. Do not retry after a lost response; read the channel first.
    public func changeChannel(
        _ id: ChannelID, _ draft: ChannelDraft, recoveryCode: String? = nil
    ) async throws -> Channel {
        try await changeSeen("/v1/channels/\(id)", .put, draft, recoveryCode: recoveryCode)
    }

    /// Sends a test message; each request counts against the owner's limit.
    public func testChannel(_ id: ChannelID) async throws -> ChannelTestResult {
        try await post("/v1/channels/\(id)/test", EmptyBody())
    }

    /// Sends the message that asks an e-mail address for its verification again.
    public func askChannel(_ id: ChannelID) async throws {
        try await send(.post, "/v1/channels/\(id)/verification", EmptyBody())
    }

    /// The messages to a channel, the latest first.
    public func deliveries(
        to id: ChannelID, limit: Int, after cursor: String? = nil
    ) async throws -> Page<ChannelDelivery> {
        try await get("/v1/channels/\(id)/deliveries?limit=\(limit)" + (cursor.map { "&cursor=\($0)" } ?? ""))
    }

    /// Deletes a channel. It tries three times if the channel changes meanwhile, which is usually the outcome of a delivery.
    public func deleteChannel(_ id: ChannelID, recoveryCode: String? = nil) async throws {
        var attempts = 3
        while true {
            do {
                return try await removeSeen("/v1/channels/\(id)", recoveryCode: recoveryCode)
            } catch RegistryError.refused(let problem, _)
                where attempts > 1 && problem.name == "changed-meanwhile"
            {
                attempts -= 1
            }
        }
    }
}
