/// A public key of the registry that verifies evidence packs and audit checkpoints, as returned by `GET /v1/keys`.
public struct PublishedKey: Codable, Hashable, Sendable {
    /// The number of the key, 1 for the registry's first key.
    public var version: Int
    /// SHA-256 of the key's DER form, 64 hexadecimal digits.
    public var fingerprint: String
    /// The Ed25519 key in PEM (RFC 8410).
    public var publicKey: String
    public var created: Timestamp
    /// The time when the key was replaced; absent for the current signing key.
    public var retired: Timestamp?

    public init(
        version: Int, fingerprint: String, publicKey: String, created: Timestamp, retired: Timestamp? = nil
    ) {
        self.version = version
        self.fingerprint = fingerprint
        self.publicKey = publicKey
        self.created = created
        self.retired = retired
    }
}

/// Response to `GET /v1/keys`, oldest key first.
public struct PublishedKeys: Codable, Hashable, Sendable {
    public var keys: [PublishedKey]

    public init(keys: [PublishedKey]) { self.keys = keys }
}

/// Response to `GET /v1/audit/checkpoint`, and an element of the response to `GET /v1/audit/checkpoints`: the signed
/// length of the audit and its last chain hash.
public struct SignedCheckpoint: Codable, Hashable, Sendable {
    /// The exact text that was signed.
    public var checkpoint: String
    /// The Ed25519 signature, 128 hexadecimal digits.
    public var signature: String

    public init(checkpoint: String, signature: String) {
        self.checkpoint = checkpoint
        self.signature = signature
    }
}
