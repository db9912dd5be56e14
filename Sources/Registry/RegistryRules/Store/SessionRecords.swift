public import Passkeys
public import RegistryAPI

/// A session to store; only the digest of its secret is known.
public struct NewSession: Sendable {
    public var id: TokenID
    /// The browser's name, for the owner.
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
    /// The identifier that the authenticator has given the passkey.
    public var credentialID: [UInt8]
    public var key: PasskeyKey
    /// The count of the authenticator's signatures so far.
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
    /// The identifier that the authenticator has given the passkey.
    public var credentialID: [UInt8]
    /// The number of the algorithm (``PasskeyAlgorithm``).
    public var algorithm: Int
    /// The key's SubjectPublicKeyInfo.
    public var publicKey: [UInt8]

    public init(details: Passkey, holder: Holder, credentialID: [UInt8], algorithm: Int, publicKey: [UInt8]) {
        self.details = details
        self.holder = holder
        self.credentialID = credentialID
        self.algorithm = algorithm
        self.publicKey = publicKey
    }
}

/// A proof that the caller may use an account; everything that can be verified without the store has been verified.
public enum AccountProof: Sendable {
    /// The counter is that of the signature.
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
