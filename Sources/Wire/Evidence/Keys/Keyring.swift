import Crypto
public import FoundationEssentials
public import RegistryAPI

/// The registry's signing key, and the public halves of all its signing keys, past and present.
///
/// The keyring is kept outside the database, so that write access to the database is not enough to sign. The private
/// key is deleted when the key is retired: its signatures remain verifiable, but no new ones can be made for its time.
public struct Keyring: Sendable {
    /// The public keys, oldest first; the last one belongs to the signing key.
    public let keys: [PublishedKey]
    private let privateKey: Curve25519.Signing.PrivateKey

    /// Makes a keyring with a first key, which is made at this time.
    public init(at time: Timestamp) {
        self.init(earlier: [], at: time)
    }

    /// The keyring with a new signing key; the previous key is retired.
    public func rotated(at time: Timestamp) -> Keyring {
        var earlier = keys
        earlier[earlier.count - 1].retired = time
        return Keyring(earlier: earlier, at: time)
    }

    private init(earlier: [PublishedKey], at time: Timestamp) {
        privateKey = Curve25519.Signing.PrivateKey()
        let version = (earlier.last?.version ?? 0) + 1
        keys = earlier + [PublishedKey(version: version, key: privateKey.publicKey, created: time)]
    }

    /// The signing key.
    public var current: PublishedKey { keys[keys.count - 1] }

    /// Signs a message; the signature has 64 bytes. BoringSSL's Ed25519 is deterministic, as RFC 8032 requires.
    public func sign(_ message: [UInt8]) throws -> [UInt8] {
        Array(try privateKey.signature(for: message))
    }
}

extension PublishedKey {
    fileprivate init(version: Int, key: Curve25519.Signing.PublicKey, created: Timestamp) {
        let key = PublicKey(key)
        self.init(
            version: version, fingerprint: key.fingerprint.description, publicKey: key.pem, created: created
        )
    }
}

// A dump of a value that contains a keyring does not show the private key.
extension Keyring: CustomStringConvertible, CustomReflectable {
    public var description: String { "keyring with key \(current.version)" }
    public var customMirror: Mirror { Mirror(self, children: ["keys": keys]) }
}

// The file format.
extension Keyring {
    /// The reason why a text is not a keyring.
    public struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The end of a sentence about the file.
        public let description: String
    }

    /// The content of the file.
    private struct Document: Codable {
        var format: Int
        var keys: [PublishedKey]
        /// The 32 bytes of the signing key, in Base64.
        var privateKey: Data
    }

    /// The keyring as JSON, including the private key.
    public func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(Document(format: 1, keys: keys, privateKey: privateKey.rawRepresentation))
    }

    /// Decodes ``encoded()``, and checks that its keys belong together.
    public init(decoding data: Data) throws(FormatError) {
        guard let document = try? JSONDecoder().decode(Document.self, from: data), document.format == 1 else {
            throw FormatError(description: "it is not a key file of this program")
        }
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: document.privateKey),
            let current = document.keys.last, current.publicKey == PublicKey(key.publicKey).pem,
            current.retired == nil
        else { throw FormatError(description: "its private key does not belong to its last public key") }
        for (key, version) in zip(document.keys, 1...) {
            guard key.version == version, PublicKey(pem: key.publicKey)?.fingerprint.description == key.fingerprint
            else { throw FormatError(description: "the fingerprint of its key \(version) is wrong") }
        }
        keys = document.keys
        privateKey = key
    }
}
