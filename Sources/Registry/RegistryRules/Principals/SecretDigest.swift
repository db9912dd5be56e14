import Crypto
public import RegistryAPI

/// The SHA-256 of a token, a code or a request, stored in place of the secret.
///
/// A token has 256 random bits, so one hash without salt is enough, and the index compares digests, which a caller
/// cannot control byte by byte.
public struct SecretDigest: Hashable, Sendable {
    /// The 32 bytes of the digest.
    public let bytes: [UInt8]

    /// The digest of bytes.
    public init(of secret: some Sequence<UInt8>) {
        bytes = Array(SHA256.hash(data: Array(secret)))
    }

    /// A digest as stored; nil unless there are exactly 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == SHA256.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The digest of a text's UTF-8.
    public init(of secret: String) { self.init(of: Array(secret.utf8)) }
}

extension OneTimeCode {
    /// The digest under which the code is stored.
    public var digest: SecretDigest { SecretDigest(of: plain) }
}
