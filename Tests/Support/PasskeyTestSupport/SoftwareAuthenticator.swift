import Crypto
import Foundation
public import RegistryAPI

/// An authenticator in software with one passkey (ES256). A test chooses everything that it signs.
public struct SoftwareAuthenticator: Sendable {
    /// The values that a test can change to make an invalid response.
    public struct Ceremony: Sendable {
        public var type: String?
        public var origin = "https://registry.example"
        public var host = "registry.example"
        /// User present, user verified.
        public var flags: UInt8 = 0x05
        public var counter: UInt32 = 0
        public var more = ""

        public init() {}
    }

    public let credentialID: [UInt8]
    private let key = P256.Signing.PrivateKey()

    public init(credentialID: [UInt8] = (0..<32).map { _ in UInt8.random(in: 0...255) }) {
        self.credentialID = credentialID
    }

    public var publicKey: [UInt8] { Array(key.publicKey.derRepresentation) }

    public func registration(_ challenge: PasskeyChallenge, _ ceremony: Ceremony = Ceremony()) -> PasskeyRegistration {
        let length = [UInt8(credentialID.count >> 8), UInt8(truncatingIfNeeded: credentialID.count)]
        let attested = Array(repeating: UInt8(0), count: 16) + length + credentialID + [0xA0]
        return PasskeyRegistration(
            clientDataJSON: Base64URL(Self.clientData(challenge, "webauthn.create", ceremony)),
            authenticatorData: Base64URL(Self.authenticatorData(ceremony, 0x40) + attested),
            publicKey: Base64URL(publicKey), publicKeyAlgorithm: -7)
    }

    public func assertion(_ challenge: PasskeyChallenge, _ ceremony: Ceremony = Ceremony()) throws -> PasskeyAssertion {
        let client = Self.clientData(challenge, "webauthn.get", ceremony)
        let data = Self.authenticatorData(ceremony, 0)
        let signature = try key.signature(for: data + Array(SHA256.hash(data: client)))
        return PasskeyAssertion(
            credential: Base64URL(credentialID), clientDataJSON: Base64URL(client), authenticatorData: Base64URL(data),
            signature: Base64URL(signature.derRepresentation))
    }

    public static func clientData(_ challenge: PasskeyChallenge, _ type: String, _ ceremony: Ceremony) -> [UInt8] {
        let type = ceremony.type ?? type
        return Array(
            """
            {"type":"\(type)","challenge":"\(challenge.challenge.text)","origin":"\(ceremony.origin)"\(ceremony.more)}
            """.utf8)
    }

    public static func authenticatorData(_ ceremony: Ceremony, _ flags: UInt8) -> [UInt8] {
        let counter = (0..<4).map { UInt8(truncatingIfNeeded: ceremony.counter >> (24 - 8 * $0)) }
        return Array(SHA256.hash(data: Array(ceremony.host.utf8))) + [ceremony.flags | flags] + counter
    }
}
