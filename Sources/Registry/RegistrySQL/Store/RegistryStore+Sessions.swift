package import RegistryAPI
package import RegistryRules

/// The browsers in which owners are signed in, and owners' passkeys.
extension RegistryStore {
    /// Opens a session, and notifies the owner on all channels. The session that was unused longest ends if there are
    /// ``SessionState/most``.
    ///
    /// - Throws: `codeUnusable`, `tokenUnusable`, `passkeyRefused`.
    public func openSession(
        _ session: NewSession, by proof: AccountProof, using entropy: Entropy
    ) async throws -> ProofResult {
        try await write { [quotas] db in try Sessions(db).open(session, by: proof, quotas, using: entropy) }
    }

    /// Gives a session the scope `manage` for ``SessionState/confirmation``.
    ///
    /// - Throws: `notFound`, `codeUnusable`, `passkeyRefused`.
    public func confirmSession(_ id: TokenID, by proof: AccountProof, act: OwnerAct) async throws -> ProofResult {
        try await write { [quotas] db in try Sessions(db).confirm(id, by: proof, quotas, act: act) }
    }

    /// The sessions of an owner that have not expired, in the order of their creation.
    public func sessions(
        of owner: OwnerID, at time: Timestamp, _ page: PageRequest<TokenID>
    ) async throws -> StoredPage<Session, TokenID> {
        try await read { try Sessions($0).page(of: owner, at: time, page) }
    }

    /// The session of an owner; nil if there is none, or it has expired.
    public func session(_ id: TokenID, of owner: OwnerID, at time: Timestamp) async throws -> Session? {
        try await read { try Sessions($0).find(id, of: owner, at: time) }
    }

    /// Ends a session. Unless a session ends itself, the owner is notified on all channels.
    ///
    /// - Throws: `notFound`.
    public func revokeSession(_ id: TokenID, isOwn: Bool, by act: OwnerAct) async throws {
        try await write { try Sessions($0).revoke(id, isOwn: isOwn, by: act) }
    }

    /// The passkey with this identifier of the authenticator.
    public func passkey(credentialID: [UInt8]) async throws -> StoredPasskey<OwnerID>? {
        try await read { try OwnerPasskeys($0).find(credentialID: credentialID) }
    }

    /// All passkeys of an owner, at most ``NewPasskey/most``, in the order of their creation.
    public func passkeys(of owner: OwnerID) async throws -> [StoredPasskey<OwnerID>] {
        try await read { try OwnerPasskeys($0).all(of: owner) }
    }

    /// Adds a passkey, and notifies the owner on all channels.
    ///
    /// - Throws: `tooManyPasskeys`, `passkeyKnown`.
    public func addPasskey(_ passkey: NewPasskey, by act: OwnerAct) async throws {
        try await write { [quotas] db in try OwnerPasskeys(db).add(passkey, by: act, quotas) }
    }

    /// Removes a passkey with the sessions that it opened, and notifies the owner on all channels.
    ///
    /// - Throws: `notFound`.
    public func removePasskey(_ id: PasskeyID, by act: OwnerAct) async throws {
        try await write { try OwnerPasskeys($0).remove(id, by: act) }
    }

    /// The number of passkeys that were made for another host.
    public func passkeyCount(notOf relyingParty: String) async throws -> Int {
        try await readAtLength { try OwnerPasskeys($0).count(notOf: relyingParty) }
    }
}
