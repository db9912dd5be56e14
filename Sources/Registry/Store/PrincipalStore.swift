public import RegistryAPI

/// An owner's token to be stored; its secret is known by the digest only.
public struct NewToken: Sendable {
    public var details: OwnerToken
    public var digest: SecretDigest

    public init(_ details: OwnerToken, digest: SecretDigest) {
        self.details = details
        self.digest = digest
    }
}

/// An owner to be stored; secrets are known by their digests only.
public struct NewOwner: Sendable {
    public var id: OwnerID
    public var created: Timestamp
    public var tellsAppearance: Bool
    public var token: NewToken
    public var recoveryCodes: [SecretDigest]
    /// The invitation's code, which is used up; nil where none is needed.
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

/// Who calls: the tokens of all principals, and how they come to be.
public protocol PrincipalStore: Sendable {
    /// What the token with this digest proves, or nil where there is none.
    func credential(token: SecretDigest) async throws -> Credential?

    /// Keeps that a token was used; an earlier time than the one that is kept changes nothing.
    func noteUse(of token: TokenID, at time: Timestamp) async throws

    /// - Throws: `codeUnusable` for an invitation that is unknown, used or expired.
    func addOwner(_ owner: NewOwner) async throws

    /// Trades a recovery code for a token, and tells the owner on all channels.
    ///
    /// - Throws: `codeUnusable`.
    func recover(
        code: SecretDigest, token: NewToken, at time: Timestamp, using entropy: Entropy
    ) async throws -> OwnerToken

    /// Adds an invitation for an owner and returns its identifier. A repeated call renews the code and the expiry of the
    /// first invitation, since its code cannot be shown again.
    ///
    /// - Throws: `invitationAccepted`, `idempotencyKeyReused`.
    func addOwnerInvitation(
        _ id: InvitationID, code: SecretDigest, expires: Timestamp, at time: Timestamp, by operator: OperatorID,
        once: IdempotencyKey?
    ) async throws -> InvitationID
}
