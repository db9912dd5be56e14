public import RegistryAPI

/// An owner's token to store; its secret is known only by its digest.
public struct NewToken: Sendable {
    public var details: OwnerToken
    public var digest: SecretDigest

    public init(_ details: OwnerToken, digest: SecretDigest) {
        self.details = details
        self.digest = digest
    }
}

/// An owner to store; secrets are known only by their digests.
public struct NewOwner: Sendable {
    public var id: OwnerID
    public var created: Timestamp
    public var tellsAppearance: Bool
    public var token: NewToken
    public var recoveryCodes: [SecretDigest]
    /// The invitation's code, which is used up; nil if none is needed.
    public var invitation: SecretDigest?

    public init(
        id: OwnerID, created: Timestamp, tellsAppearance: Bool = true, token: NewToken,
        recoveryCodes: [SecretDigest] = [], invitation: SecretDigest? = nil
    ) {
        self.id = id
        self.created = created
        self.tellsAppearance = tellsAppearance
        self.token = token
        self.recoveryCodes = recoveryCodes
        self.invitation = invitation
    }
}

/// The tokens of all principals, and their creation.
public protocol PrincipalStore: Sendable {
    /// The caller that the token with this digest authenticates; nil if there is no such token.
    func credential(token: SecretDigest) async throws -> Credential?

    /// Records the use of a token; a time earlier than the recorded one changes nothing.
    func noteUse(of token: TokenID, at time: Timestamp) async throws

    /// - Throws: `codeUnusable` for an invitation that is unknown, used or expired.
    func addOwner(_ owner: NewOwner) async throws

    /// Exchanges a recovery code for a token, and notifies the owner on all channels.
    ///
    /// - Throws: `codeUnusable`.
    func recover(
        code: SecretDigest, token: NewToken, at time: Timestamp, using entropy: Entropy
    ) async throws -> OwnerToken

    /// Adds an invitation for an owner and returns its identifier.
    /// A repeated call renews the code and the expiry of the first invitation, since its code cannot be shown again.
    ///
    /// - Throws: `invitationAccepted`, `idempotencyKeyReused`.
    func addOwnerInvitation(
        _ id: InvitationID, code: SecretDigest, expires: Timestamp, at time: Timestamp, by operator: OperatorID,
        once: IdempotencyKey?
    ) async throws -> InvitationID
}
