/// A public key of the registry, as `GET /v1/keys` shows it: what evidence packs and audit checkpoints are signed with.
public struct PublishedKey: Codable, Hashable, Sendable {
    /// 1 for the registry's first key.
    public var version: Int
    /// SHA-256 of the key's DER form, 64 hexadecimal digits.
    public var fingerprint: String
    /// Ed25519, in PEM (RFC 8410).
    public var publicKey: String
    public var created: Timestamp
    /// When the next key took its place; absent for the one that signs.
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

/// Answer to `GET /v1/keys`, oldest first.
public struct PublishedKeys: Codable, Hashable, Sendable {
    public var keys: [PublishedKey]

    public init(keys: [PublishedKey]) { self.keys = keys }
}

/// Answer to `GET /v1/audit/checkpoint`, and each of `GET /v1/audit/checkpoints`: how long the audit was and where it
/// ended, signed.
public struct SignedCheckpoint: Codable, Hashable, Sendable {
    /// What was signed, byte for byte.
    public var checkpoint: String
    /// Ed25519, 128 hexadecimal digits.
    public var signature: String

    public init(checkpoint: String, signature: String) {
        self.checkpoint = checkpoint
        self.signature = signature
    }
}
