public import Passkeys
public import RegistryAPI

/// A session to store; its secret is known only by its digest.
public struct NewSession: Sendable {
    public var id: TokenID
    public var name: String
    public var digest: SecretDigest
    public var created: Timestamp

    public init(id: TokenID, name: String, digest: SecretDigest, created: Timestamp) {
        self.id = id
        self.name = name
        self.digest = digest
        self.created = created
    }
}

/// A passkey to store.
public struct NewPasskey: Sendable {
    public var details: Passkey
    public var credentialID: [UInt8]
    public var key: PasskeyKey
    public var counter: UInt32

    public init(details: Passkey, credentialID: [UInt8], key: PasskeyKey, counter: UInt32) {
        self.details = details
        self.credentialID = credentialID
        self.key = key
        self.counter = counter
    }

    /// The maximum number of passkeys of an owner.
    public static let most = 20
}

/// A passkey of an owner or an operator as it is stored.
public struct StoredPasskey<Holder: Sendable>: Sendable {
    public var details: Passkey
    public var holder: Holder
    public var credentialID: [UInt8]
    public var algorithm: Int
    public var publicKey: [UInt8]

    public init(details: Passkey, holder: Holder, credentialID: [UInt8], algorithm: Int, publicKey: [UInt8]) {
        self.details = details
        self.holder = holder
        self.credentialID = credentialID
        self.algorithm = algorithm
        self.publicKey = publicKey
    }
}

/// A proof that somebody may use an account; all of it that can be verified without the store has been.
public enum AccountProof: Sendable {
    case passkey(PasskeyID, counter: UInt32)
    case recoveryCode(SecretDigest)
    case token(SecretDigest)
}

/// The result of an act that an ``AccountProof`` allows.
public enum ProofResult: Hashable, Sendable {
    case accepted(Session)
    /// The passkey's counter did not grow. The owner was notified.
    case copiedPasskey
}

/// The browsers in which owners are signed in, and owners' passkeys.
public protocol SessionStore: Sendable {
    /// Opens a session, and notifies the owner on all channels. The session that was unused longest ends if there are
    /// ``SessionState/most``.
    ///
    /// - Throws: `codeUnusable`, `tokenUnusable`, `passkeyRefused`.
    func openSession(_ session: NewSession, by proof: AccountProof, using entropy: Entropy) async throws -> ProofResult

    /// Gives a session the scope `manage` for ``SessionState/confirmation``.
    ///
    /// - Throws: `notFound`, `codeUnusable`, `passkeyRefused`.
    func confirmSession(_ id: TokenID, by proof: AccountProof, act: OwnerAct) async throws -> ProofResult

    /// The sessions of an owner that have not expired, in the order of their creation.
    func sessions(
        of owner: OwnerID, at time: Timestamp, _ page: PageRequest<TokenID>
    ) async throws -> StoredPage<Session, TokenID>

    func session(_ id: TokenID, of owner: OwnerID, at time: Timestamp) async throws -> Session?

    /// Ends a session. Unless a session ends itself, the owner is notified on all channels.
    ///
    /// - Throws: `notFound`.
    func revokeSession(_ id: TokenID, isOwn: Bool, by act: OwnerAct) async throws

    /// The passkey with this identifier of the authenticator.
    func passkey(credentialID: [UInt8]) async throws -> StoredPasskey<OwnerID>?

    /// All passkeys of an owner, at most ``NewPasskey/most``, in the order of their creation.
    func passkeys(of owner: OwnerID) async throws -> [StoredPasskey<OwnerID>]

    /// Adds a passkey, and notifies the owner on all channels.
    ///
    /// - Throws: `tooManyPasskeys`, `passkeyKnown`.
    func addPasskey(_ passkey: NewPasskey, by act: OwnerAct) async throws

    /// Removes a passkey with the sessions that it opened, and notifies the owner on all channels.
    ///
    /// - Throws: `notFound`.
    func removePasskey(_ id: PasskeyID, by act: OwnerAct) async throws

    /// The number of passkeys that were made for another host.
    func passkeyCount(notOf relyingParty: String) async throws -> Int
}
