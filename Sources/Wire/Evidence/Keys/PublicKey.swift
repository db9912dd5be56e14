import Crypto
import FoundationEssentials
import Syntax

/// A registry's Ed25519 public key (RFC 8032).
public struct PublicKey: Hashable, Sendable {
    /// The length of a key in bytes.
    private static let length = 32

    /// The 32 bytes of the key.
    public let bytes: [UInt8]

    /// Returns nil unless there are exactly 32 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = Array(bytes)
    }

    init(_ key: Curve25519.Signing.PublicKey) { bytes = Array(key.rawRepresentation) }

    /// SHA-256 of the key's DER form, as printed by `openssl pkey -pubin -outform DER | sha256sum`.
    /// People compare it by voice or on paper.
    public var fingerprint: HashValue { HashValue(of: der) }

    /// The key as SubjectPublicKeyInfo (RFC 8410, section 4).
    var der: [UInt8] { Self.prefix + bytes }

    /// The DER form in PEM (RFC 7468), with a final line feed.
    public var pem: String {
        "-----BEGIN PUBLIC KEY-----\n\(Data(der).base64EncodedString())\n-----END PUBLIC KEY-----\n"
    }

    /// Parses PEM; nil unless the text is exactly what ``pem`` would write.
    public init?(pem: String) {
        let lines = pem.split(at: "\n")
        guard lines.count == 3, let der = Data(base64Encoded: String(lines[1])), der.starts(with: Self.prefix) else {
            return nil
        }
        self.init(bytes: der.dropFirst(Self.prefix.count))
        guard self.pem == pem else { return nil }
    }

    /// Whether the bytes are this key's signature of a message; false for bytes of another length, too.
    public func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return false }
        return key.isValidSignature(signature, for: message)
    }

    /// The DER prefix: SEQUENCE { SEQUENCE { 1.3.101.112 }, BIT STRING of 33 bytes, no unused bits … }.
    private static let prefix: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
}

extension HashValue {
    /// Parses a fingerprint that a person typed: in either case, with or without colons or spaces between the digits.
    public init?(typed text: String) {
        self.init(text.lowercased().filter { $0 != ":" && !$0.isWhitespace })
    }
}
