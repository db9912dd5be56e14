package import Registry
package import RegistryAPI

extension SQLRegistryStore {
    public func openSession(
        _ session: NewSession, by proof: AccountProof, using entropy: Entropy
    ) async throws -> ProofResult {
        try await write { [quotas] db in try Sessions(db).open(session, by: proof, quotas, using: entropy) }
    }

    public func confirmSession(_ id: TokenID, by proof: AccountProof, act: OwnerAct) async throws -> ProofResult {
        try await write { [quotas] db in try Sessions(db).confirm(id, by: proof, quotas, act: act) }
    }

    public func sessions(
        of owner: OwnerID, at time: Timestamp, _ page: PageRequest<TokenID>
    ) async throws -> StoredPage<Session, TokenID> {
        try await read { try Sessions($0).page(of: owner, at: time, page) }
    }

    public func session(_ id: TokenID, of owner: OwnerID, at time: Timestamp) async throws -> Session? {
        try await read { try Sessions($0).find(id, of: owner, at: time) }
    }

    public func revokeSession(_ id: TokenID, isOwn: Bool, by act: OwnerAct) async throws {
        try await write { try Sessions($0).revoke(id, isOwn: isOwn, by: act) }
    }

    public func passkey(credentialID: [UInt8]) async throws -> StoredPasskey<OwnerID>? {
        try await read { try OwnerPasskeys($0).find(credentialID: credentialID) }
    }

    public func passkeys(of owner: OwnerID) async throws -> [StoredPasskey<OwnerID>] {
        try await read { try OwnerPasskeys($0).all(of: owner) }
    }

    public func addPasskey(_ passkey: NewPasskey, by act: OwnerAct) async throws {
        try await write { [quotas] db in try OwnerPasskeys(db).add(passkey, by: act, quotas) }
    }

    public func removePasskey(_ id: PasskeyID, by act: OwnerAct) async throws {
        try await write { try OwnerPasskeys($0).remove(id, by: act) }
    }

    public func passkeyCount(notOf relyingParty: String) async throws -> Int {
        try await readAtLength { try OwnerPasskeys($0).count(notOf: relyingParty) }
    }
}
