public import RegistryAPI

/// An invitation to be stored; its code is known by the digest only.
public struct NewInvitation: Sendable {
    public var id: InvitationID
    public var details: InvitationDraft
    public var code: SecretDigest
    public var created: Timestamp
    public var expires: Timestamp

    public init(
        id: InvitationID, details: InvitationDraft, code: SecretDigest, created: Timestamp, expires: Timestamp
    ) {
        self.id = id
        self.details = details
        self.code = code
        self.created = created
        self.expires = expires
    }
}

/// Stations and the invitations by which they enrol.
public protocol StationStore: Sendable {
    /// Adds an invitation and returns its identifier. A repeated call renews the code and the expiry of the first
    /// invitation, since its code cannot be shown again.
    ///
    /// - Throws: `invitationAccepted`, `idempotencyKeyReused`.
    func addInvitation(_ invitation: NewInvitation, once: OnceKey?) async throws -> InvitationID

    /// Trades an unused, unexpired code for a station with the invitation's name and place.
    ///
    /// - Throws: `codeUnusable`.
    func enrol(code: SecretDigest, as id: StationID, token: SecretDigest, at time: Timestamp) async throws -> Station

    /// All stations, in the order of their enrolment.
    func stations(_ page: PageRequest<StationID>) async throws -> StoredPage<Station, StationID>
}
