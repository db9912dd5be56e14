public import RegistryAPI

/// An owner's account.
public protocol OwnerStore: Sendable {
    func owner(_ id: OwnerID) async throws -> Owner?

    /// Changes an owner who still is as the caller saw it. Where that changes when alerts come, the owner is told on all
    /// channels.
    ///
    /// - Throws: `changedMeanwhile`; where it changes when alerts come while a bike is missing, `recoveryCodeNeeded` and
    ///   `codeUnusable`.
    func changeOwner(_ owner: Owner, to changed: Owner, by act: OwnerAct) async throws -> Owner

    /// Everything that is kept about an owner, at one moment.
    func export(of owner: OwnerID, at time: Timestamp) async throws -> OwnerExport

    /// Erases an owner who still is as the caller saw it, with all that belongs to it, sightings included.
    ///
    /// The identities of its beacons are never issued again. The erasure is in the journal, on disk, when this returns.
    /// - Throws: `changedMeanwhile`; while a bike is missing, `recoveryCodeNeeded` and `codeUnusable`.
    func eraseOwner(_ owner: Owner, by act: OwnerAct) async throws

    /// An owner's tokens, in the order of their making.
    func tokens(of owner: OwnerID, _ page: PageRequest<TokenID>) async throws -> StoredPage<OwnerToken, TokenID>

    /// Adds a token, and tells the owner on all channels. A repeated call gives the first call's token this secret, since
    /// that one's cannot be shown again.
    ///
    /// - Throws: `tokenInUse`, `idempotencyKeyReused`.
    func addToken(_ token: NewToken, by act: OwnerAct, once: IdempotencyKey?) async throws -> OwnerToken

    /// - Throws: `notFound`.
    func revokeToken(_ id: TokenID, by act: OwnerAct) async throws

    /// Replaces all recovery codes; one of them must come with the act.
    ///
    /// - Throws: `recoveryCodeNeeded`, `codeUnusable`.
    func replaceRecoveryCodes(with codes: [SecretDigest], by act: OwnerAct) async throws
}
