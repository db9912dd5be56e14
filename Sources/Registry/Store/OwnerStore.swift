public import RegistryAPI

/// The accounts of owners.
public protocol OwnerStore: Sendable {
    func owner(_ id: OwnerID) async throws -> Owner?

    /// Changes an owner if the account is unchanged since the caller saw it. If that changes when alerts are sent, the
    /// owner is notified on all channels.
    ///
    /// - Throws: `changedMeanwhile`; if it changes when alerts are sent while a bike is missing,
    ///   `recoveryCodeNeeded` and `codeUnusable`.
    func changeOwner(_ owner: Owner, to changed: Owner, by act: OwnerAct) async throws -> Owner

    /// Erases an owner with all related data, sightings included, if the account is unchanged since the caller saw it.
    ///
    /// The identities of the owner's beacons are never issued again. The erasure is in the journal on disk when this
    /// returns.
    /// - Throws: `changedMeanwhile`; while a bike is missing, `recoveryCodeNeeded` and `codeUnusable`.
    func eraseOwner(_ owner: Owner, by act: OwnerAct) async throws

    /// An owner's tokens, in the order of their creation.
    func tokens(of owner: OwnerID, _ page: PageRequest<TokenID>) async throws -> StoredPage<OwnerToken, TokenID>

    /// Adds a token, and notifies the owner on all channels. A repeated call gives the first call's token this secret,
    /// since the earlier secret cannot be shown again.
    ///
    /// - Throws: `tokenInUse`, `idempotencyKeyReused`.
    func addToken(_ token: NewToken, by act: OwnerAct, once: IdempotencyKey?) async throws -> OwnerToken

    /// - Throws: `notFound`.
    func revokeToken(_ id: TokenID, by act: OwnerAct) async throws

    /// Replaces all recovery codes; the act must contain one of them.
    ///
    /// - Throws: `recoveryCodeNeeded`, `codeUnusable`.
    func replaceRecoveryCodes(with codes: [SecretDigest], by act: OwnerAct) async throws
}
