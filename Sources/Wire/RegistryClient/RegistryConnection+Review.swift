public import Beacons
import HTTPClient
public import RegistryAPI

// Operators' requests against misuse, and about operators. A decision can be retried: it always has the same effect.
extension RegistryConnection {
    public func owners(after cursor: String? = nil) async throws -> Page<OwnerSummary> {
        try await get("/v1/owners" + Self.query(cursor))
    }

    /// What operators see of an owner, with the reports.
    public func review(of owner: OwnerID) async throws -> OwnerReview {
        try await get("/v1/owners/\(owner)")
    }

    /// Ends all searches of an owner until ``resumeOwner(_:)``.
    public func suspendOwner(_ owner: OwnerID, _ reason: OperatorReason) async throws -> OwnerReview {
        try await decide(.put, "/v1/owners/\(owner)/suspension", reason)
    }

    public func resumeOwner(_ owner: OwnerID) async throws -> OwnerReview {
        try await decide(.delete, "/v1/owners/\(owner)/suspension")
    }

    /// Records that an operator knows who the owner is.
    public func verifyOwner(_ owner: OwnerID) async throws -> OwnerReview {
        try await decide(.put, "/v1/owners/\(owner)/verification")
    }

    public func unverifyOwner(_ owner: OwnerID) async throws -> OwnerReview {
        try await decide(.delete, "/v1/owners/\(owner)/verification")
    }

    /// Sets quotas of an owner; the registry's settings apply to absent ones.
    public func setQuotas(of owner: OwnerID, _ exceptions: QuotaExceptions) async throws -> OwnerReview {
        try await decide(.put, "/v1/owners/\(owner)/quotas", exceptions)
    }

    /// Confirms the police reference of a report.
    public func confirm(_ confirmation: ReferenceConfirmation, of report: ReportID) async throws -> ReportReview {
        try await decide(.put, "/v1/reports/\(report)/confirmation", confirmation)
    }

    public func withdrawConfirmation(of report: ReportID) async throws -> ReportReview {
        try await decide(.delete, "/v1/reports/\(report)/confirmation")
    }

    /// Keeps a beacon off the missing list until ``allowSearch(for:)``.
    public func stopSearch(for beacon: BeaconIdentity, _ reason: StopReason) async throws -> BeaconReview {
        try await decide(.put, "/v1/beacons/\(beacon)/stop", reason)
    }

    public func allowSearch(for beacon: BeaconIdentity) async throws -> BeaconReview {
        try await decide(.delete, "/v1/beacons/\(beacon)/stop")
    }

    /// Identities that owners gave for their beacons and that wait for an operator.
    public func claims(after cursor: String? = nil) async throws -> Page<BeaconClaim> {
        try await get("/v1/claims" + Self.query(cursor))
    }

    public func acceptClaim(_ acceptance: ClaimAcceptance, of bike: BikeID) async throws -> BeaconClaim {
        try await decide(.put, "/v1/claims/\(bike)/acceptance", acceptance)
    }

    public func refuseClaim(of bike: BikeID, _ reason: OperatorReason) async throws -> BeaconClaim {
        try await decide(.put, "/v1/claims/\(bike)/refusal", reason)
    }

    public func operators(after cursor: String? = nil) async throws -> Page<Operator> {
        try await get("/v1/operators" + Self.query(cursor))
    }

    /// Creates an operator. Do not retry: if the token was lost on the way, revoke the operator.
    public func createOperator(_ draft: OperatorDraft) async throws -> OperatorCreated {
        try await post("/v1/operators", draft)
    }

    /// Revokes an operator's token.
    public func revokeOperator(_ id: OperatorID) async throws -> Operator {
        try await decide(.delete, "/v1/operators/\(id)")
    }

    /// Sends a decision, which can be retried because it always has the same effect.
    private func decide<Answer: Decodable>(
        _ method: HTTPRequest.Method, _ path: String, _ body: some Encodable
    ) async throws -> Answer {
        try Self.decode(await answer(to: request(method, path, body: try Self.encode(body)), isRepeatable: true))
    }

    private func decide<Answer: Decodable>(_ method: HTTPRequest.Method, _ path: String) async throws -> Answer {
        try Self.decode(await answer(to: request(method, path), isRepeatable: true))
    }
}
