import Crypto
public import RegistryAPI
import Syntax

/// The SHA-256 of a token, a code or a request, stored in place of the secret.
///
/// A token has 256 random bits, so one hash without salt is enough, and the index compares digests, which a caller
/// cannot control byte by byte.
public struct SecretDigest: Hashable, Sendable {
    /// The 32 bytes of the digest.
    public let bytes: [UInt8]

    /// The digest of bytes.
    public init(of secret: some Sequence<UInt8>) {
        bytes = SHA256.hash(data: Array(secret)).withUnsafeBytes { Array($0) }
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

/// The mailbox of an e-mail address, identified only by a digest; limits of messages apply to a mailbox.
public enum Mailbox {
    /// The digest of the mailbox. Case, a suffix after a plus sign, and dots in the local part are ignored: many
    /// providers ignore them, and a mailbox must not be flooded under a thousand spellings.
    public static func digest(of address: String) -> SecretDigest {
        let address = address.lowercased()
        guard let at = address.unicodeScalars.lastIndex(of: "@") else { return SecretDigest(of: address) }
        let local = address[..<at].part(beforeScalar: { $0 == "+" }).replacing(scalars: [".": ""])
        return SecretDigest(of: local + address[at...])
    }
}
