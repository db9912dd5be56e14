import Logging
public import RegistryAPI

extension RegistryOperations {
    /// Invites a venue to enrol a station at a surveyed place.
    public func invite(_ draft: InvitationDraft, once: OnceKey?) async throws -> Invitation {
        var entropy = entropy
        let now = clock.now
        let code = OneTimeCode(using: &entropy)
        let expires = now.advanced(by: OneTimeCode.lifetime)
        let invitation = NewInvitation(
            id: InvitationID(at: now, using: &entropy), details: draft, code: code.digest, created: now,
            expires: expires
        )
        let id = try await store.addInvitation(invitation, once: once)
        return Invitation(id: id, code: code.text, expires: expires)
    }

    /// Trades a code for a station and its token.
    public func enrol(_ request: EnrolmentRequest) async throws -> StationEnrolled {
        var entropy = entropy
        let now = clock.now
        let token = AccessToken(for: .station, using: &entropy)
        let station = try await store.enrol(
            code: OneTimeCode(typed: request.code).digest, as: StationID(at: now, using: &entropy),
            token: token.digest, at: now
        )
        logger.info("station enrolled", metadata: ["station": "\(station.id)"])
        return StationEnrolled(station: station, token: token.text)
    }

    public func stations(_ page: PageRequest<StationID>) async throws -> StoredPage<Station, StationID> {
        try await store.stations(page)
    }
}
