import HTTPClient
public import RegistryAPI

// Requests about members of bikes.
extension RegistryConnection {
    /// Invites somebody to a bike. The response has the secret, which is shown only once.
    public func inviteMember(
        _ draft: MemberInvitationDraft, to bike: BikeID, idempotencyKey: String = newIdempotencyKey
    ) async throws -> MemberInvitationCreated {
        try await post("/v1/bikes/\(bike)/invitations", draft, idempotencyKey: idempotencyKey)
    }

    /// The open invitations of a bike.
    public func memberInvitations(of bike: BikeID) async throws -> [MemberInvitation] {
        let page: Page<MemberInvitation> = try await get("/v1/bikes/\(bike)/invitations")
        return page.items
    }

    public func cancelMemberInvitation(_ id: InvitationID, of bike: BikeID) async throws {
        try await delete("/v1/bikes/\(bike)/invitations/\(id)")
    }

    /// The members of a bike; for a caller who does not manage it, only the caller.
    public func members(of bike: BikeID) async throws -> [Member] {
        let page: Page<Member> = try await get("/v1/bikes/\(bike)/members")
        return page.items
    }

    /// Gives a member another role. Retrying is safe: the role is the same.
    public func changeRole(of member: MemberID, on bike: BikeID, to role: MemberRole) async throws -> Member {
        let body = try Self.encode(MemberRoleChange(role: role))
        let request = request(.put, "/v1/bikes/\(bike)/members/\(member)/role", body: body)
        return try Self.decode(await answer(to: request, isRepeatable: true))
    }

    /// Removes a member, who may be the caller.
    public func removeMember(_ id: MemberID, of bike: BikeID) async throws {
        try await delete("/v1/bikes/\(bike)/members/\(id)")
    }

    /// What an invitation offers. Retrying is safe: it changes nothing.
    ///
    /// - Parameter invitation: the secret, or the whole link.
    public func membershipOffer(_ invitation: String) async throws -> MembershipOffer {
        try await post("/v1/memberships/offer", InvitationAcceptance(invitation: invitation), isRepeatable: true)
    }

    /// Becomes a member of a bike, which is returned.
    ///
    /// - Parameter invitation: the secret, or the whole link.
    public func join(_ invitation: String, idempotencyKey: String = newIdempotencyKey) async throws -> Bike {
        try await post(
            "/v1/memberships", InvitationAcceptance(invitation: invitation), idempotencyKey: idempotencyKey)
    }
}

// Requests about links to a search.
extension RegistryConnection {
    /// Makes a link to the bike's search. The response has the link, which is shown only once.
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
