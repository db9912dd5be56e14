import Crypto
import CryptoExtras

/// The signature algorithm of a passkey, by its number (IANA, “COSE Algorithms”).
public enum PasskeyAlgorithm: Int, CaseIterable, Hashable, Sendable {
    /// ECDSA with P-256 and SHA-256, which nearly every authenticator has.
    case es256 = -7
    /// RSASSA-PKCS1-v1_5 with SHA-256, for Windows Hello.
    case rs256 = -257
}

/// The public key of a passkey.
public struct PasskeyKey: Hashable, Sendable {
    public let algorithm: PasskeyAlgorithm
    /// The SubjectPublicKeyInfo (RFC 5280, section 4.1.2.7), as the browser's `getPublicKey()` returns it.
    public let subjectPublicKeyInfo: [UInt8]

    /// The lengths in bits of RSA keys that are accepted; longer ones would take too long to verify.
    private static let rsaBits = 2048...4096

    /// - Throws: `unsupportedKey` if the bytes are not a key of the algorithm.
    public init(algorithm: Int, subjectPublicKeyInfo: [UInt8]) throws(PasskeyError) {
        guard let algorithm = PasskeyAlgorithm(rawValue: algorithm) else { throw .unsupportedKey }
        self.algorithm = algorithm
        self.subjectPublicKeyInfo = subjectPublicKeyInfo
        switch algorithm {
        case .es256: guard ecdsaKey != nil else { throw .unsupportedKey }
        case .rs256:
            guard let key = rsaKey, Self.rsaBits.contains(key.keySizeInBits) else { throw .unsupportedKey }
        }
    }

    /// Whether the bytes are this key's signature of a message.
    func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        let digest = SHA256.hash(data: message)
        switch algorithm {
        case .es256:
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return ecdsaKey?.isValidSignature(signature, for: digest) ?? false
        case .rs256:
            let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
            return rsaKey?.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5) ?? false
        }
    }

    private var ecdsaKey: P256.Signing.PublicKey? {
        try? P256.Signing.PublicKey(derRepresentation: subjectPublicKeyInfo)
    }

    private var rsaKey: _RSA.Signing.PublicKey? {
        try? _RSA.Signing.PublicKey(derRepresentation: subjectPublicKeyInfo)
    }
}
