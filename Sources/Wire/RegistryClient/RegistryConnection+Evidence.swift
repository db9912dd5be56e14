import HTTPClient
public import RegistryAPI

// Requests for evidence, and for the audit behind it.
extension RegistryConnection {
    /// The evidence pack of a report, a ZIP archive.
    public func evidence(of report: ReportID, on bike: BikeID) async throws -> [UInt8] {
        let path = "/v1/bikes/\(bike)/reports/\(report)/evidence"
        return try await answer(to: request(.get, path, accept: "application/zip")).body
    }

    /// The public keys that verify packs and checkpoints.
    public func keys() async throws -> PublishedKeys {
        try await get("/v1/keys")
    }

    /// A page of the audit, for operators.
    ///
    /// - Parameter filter: names and values for the query, made of characters that need no escaping in a URL.
    public func audit(_ filter: [(name: String, value: String)], after cursor: String?) async throws -> Page<AuditEntry>
    {
        var parameters = filter.map { "\($0.name)=\($0.value)" }
        if let cursor { parameters.append("cursor=\(cursor)") }
        let query = parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
        return try await get("/v1/audit" + query)
    }

    /// The current signed end of the audit, for operators.
    public func auditCheckpoint() async throws -> SignedCheckpoint {
        try await get("/v1/audit/checkpoint")
    }

    /// A page of the checkpoints that the registry created automatically, the latest first; for operators.
    public func auditCheckpoints(after cursor: String?) async throws -> Page<SignedCheckpoint> {
        try await get("/v1/audit/checkpoints" + Self.query(cursor))
    }
}
