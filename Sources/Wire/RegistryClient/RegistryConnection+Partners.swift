import HTTPClient
public import RegistryAPI

// Operators' requests about partners.
extension RegistryConnection {
    /// Makes a code for another registry, which is shown only once.
    public func invitePartner(_ draft: PartnerInvitationDraft) async throws -> PartnerInvitation {
        try await post("/v1/partners/invitations", draft)
    }

    /// Accepts another registry's invitation. If no response arrives, sending it again is safe.
    public func acceptPartner(_ acceptance: PartnerAcceptance) async throws -> Partner {
        try await post("/v1/partners", acceptance)
    }

    public func partners(after cursor: String? = nil) async throws -> Page<Partner> {
        try await get("/v1/partners" + Self.query(cursor))
    }

    public func partner(_ id: PartnerID) async throws -> Partner { try await get("/v1/partners/\(id)") }

    /// Changes a partnership. Retrying is safe.
    ///
    /// - Parameter quarantineSince: the time from which sightings by the partner's stations are disputed; nil to dispute
    ///   none for this.
    public func changePartner(
        _ id: PartnerID, _ patch: PartnerPatch, quarantineSince: Timestamp? = nil
    ) async throws -> Partner {
        let query = Self.query(quarantineSince: quarantineSince)
        let request = request(.patch, "/v1/partners/\(id)" + query, body: try Self.encode(patch))
        return try Self.decode(await answer(to: request, isRepeatable: true))
    }

    /// Ends a partner's token, and makes a code for a new one, which is shown only once.
    public func renewPartner(_ id: PartnerID) async throws -> PartnerInvitation {
        try await post("/v1/partners/\(id)/renewal", EmptyBody())
    }

    /// Ends a partnership, or cancels an invitation.
    ///
    /// - Parameter quarantineSince: as in ``changePartner(_:_:quarantineSince:)``.
    public func removePartner(_ id: PartnerID, quarantineSince: Timestamp? = nil) async throws {
        try await delete("/v1/partners/\(id)" + Self.query(quarantineSince: quarantineSince))
    }

    /// The query that quarantines sightings since a time; empty without a time.
    static func query(quarantineSince time: Timestamp?) -> String {
        time.map { "?quarantineSince=\($0)" } ?? ""
    }
}

// Requests of one registry to another.
extension RegistryConnection {
    /// Accepts another registry's invitation, and returns its terms.
    public func joinPartner(_ offer: PartnerOffer) async throws -> PartnerOffer {
        try await post("/v1/partner/acceptance", offer)
    }

    /// Forwards visits in one attempt, on an open connection if there is one. Forwarding again is safe.
    public func forward(_ batch: ForwardedBatch) async throws -> VisitBatchResult {
        let request = request(.post, "/v1/partner/visits", body: try Self.encode(batch))
        let answer: VisitBatchResult = try Self.decode(Self.checked(await exchange(request)))
        return answer.bounded
    }

    /// What a registry shows anybody about itself.
    public func description() async throws -> RegistryDescription { try await get("/v1/about") }

    /// The hidden numbers of a partner's missing bikes.
    public func sharedNumbers() async throws -> SharedNumbers { try await get("/v1/partner/numbers") }

    /// Lets a partner hide a number that is hidden already, in one attempt.
    public func check(_ number: HiddenNumber) async throws -> HiddenNumber {
        let request = request(.post, "/v1/partner/checks", body: try Self.encode(number))
        return try Self.decode(Self.checked(await exchange(request)))
    }
}
