import Crypto

/// The SHA-256 of a token, a code or a request: what is stored in place of the secret.
///
/// A token has 256 random bits, so that one hash without salt keeps it safe, and looking a digest up in an index
/// compares nothing that a caller could steer byte by byte.
public struct SecretDigest: Hashable, Sendable {
    /// 32 bytes.
    public let bytes: [UInt8]

    public init(of secret: some Sequence<UInt8>) {
        bytes = Array(SHA256.hash(data: Array(secret)))
    }

    /// A digest as it was stored; nil for anything but 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == SHA256.byteCount else { return nil }
        self.bytes = bytes
    }

    public init(of secret: String) { self.init(of: Array(secret.utf8)) }
}
