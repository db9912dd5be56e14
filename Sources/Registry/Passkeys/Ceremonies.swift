import Crypto
package import RegistryAPI

/// A new passkey, as a browser sends it (Web Authentication, section 7.1). The maker of the authenticator is not
/// verified: the registry trusts no maker more than another.
public struct RegistrationResponse: Hashable, Sendable {
    public var clientDataJSON: [UInt8]
    public var authenticatorData: [UInt8]
    public var publicKey: [UInt8]
    public var publicKeyAlgorithm: Int

    public init(
        clientDataJSON: [UInt8], authenticatorData: [UInt8], publicKey: [UInt8], publicKeyAlgorithm: Int
    ) {
        self.clientDataJSON = clientDataJSON
        self.authenticatorData = authenticatorData
        self.publicKey = publicKey
        self.publicKeyAlgorithm = publicKeyAlgorithm
    }

    /// Verifies everything except the challenge, which the caller must accept.
    public func verified(at party: RelyingParty) throws(PasskeyError) -> VerifiedRegistration {
        let client = try ClientData(clientDataJSON, of: .registration, at: party)
        let data = try AuthenticatorData(authenticatorData, at: party)
        guard let credentialID = data.credentialID else { throw .malformed }
        let key = try PasskeyKey(algorithm: publicKeyAlgorithm, subjectPublicKeyInfo: publicKey)
        return VerifiedRegistration(
            challenge: client.challenge, credentialID: credentialID, key: key, counter: data.counter)
    }
}

/// A passkey whose registration is valid, except for its challenge.
public struct VerifiedRegistration: Hashable, Sendable {
    /// The challenge that the browser signed for; it is not checked yet.
    public let challenge: [UInt8]
    public let credentialID: [UInt8]
    public let key: PasskeyKey
    public let counter: UInt32
}

/// The use of a passkey, as a browser sends it (Web Authentication, section 7.2).
public struct AssertionResponse: Hashable, Sendable {
    public var clientDataJSON: [UInt8]
    public var authenticatorData: [UInt8]
    public var signature: [UInt8]

    public init(clientDataJSON: [UInt8], authenticatorData: [UInt8], signature: [UInt8]) {
        self.clientDataJSON = clientDataJSON
        self.authenticatorData = authenticatorData
        self.signature = signature
    }

    /// Verifies everything except the challenge and the counter, which the caller must accept.
    public func verified(by key: PasskeyKey, at party: RelyingParty) throws(PasskeyError) -> VerifiedAssertion {
        let client = try ClientData(clientDataJSON, of: .assertion, at: party)
        let data = try AuthenticatorData(authenticatorData, at: party)
        let message = authenticatorData + Array(SHA256.hash(data: clientDataJSON))
        guard key.isSignature(signature, of: message) else { throw .wrongSignature }
        return VerifiedAssertion(challenge: client.challenge, counter: data.counter)
    }
}

/// The use of a passkey whose signature is valid; its challenge is not checked yet, nor is its counter.
public struct VerifiedAssertion: Hashable, Sendable {
    /// The challenge that the authenticator signed; it is not checked yet.
    public let challenge: [UInt8]
    public let counter: UInt32
}

/// The count of an authenticator's signatures.
public enum SignatureCounter {
    /// Whether a new count is possible after an earlier one. Authenticators that do not count always send zero; any
    /// other count must grow, or there are two copies of the passkey (Web Authentication, section 6.1.1).
    public static func isPlausible(_ new: UInt32, after old: UInt32) -> Bool { new > old || (new == 0 && old == 0) }
}

extension PasskeyRegistration {
    /// The bytes to verify.
    package var response: RegistrationResponse {
        RegistrationResponse(
            clientDataJSON: clientDataJSON.bytes, authenticatorData: authenticatorData.bytes,
            publicKey: publicKey.bytes, publicKeyAlgorithm: publicKeyAlgorithm)
    }
}

extension PasskeyAssertion {
    /// The bytes to verify.
    package var response: AssertionResponse {
        AssertionResponse(
            clientDataJSON: clientDataJSON.bytes, authenticatorData: authenticatorData.bytes,
            signature: signature.bytes)
    }
}

/// The reason why a registration or an assertion is refused.
public enum PasskeyError: Error, Hashable, Sendable {
    /// The bytes do not have the form that browsers and authenticators send.
    case malformed
    /// A registration was sent in place of an assertion, or the other way round.
    case wrongType
    /// The challenge is not the registry's, was made for another user, has expired, or was used before.
    case wrongChallenge
    /// The browser was at another site, or showed the site in another site's frame.
    case wrongOrigin
    /// The authenticator signed for another site.
    case wrongRelyingParty
    /// The authenticator did not verify its user, by a PIN or a fingerprint for instance.
    case notVerified
    /// The key is of an algorithm or a length that is not offered.
    case unsupportedKey
    case wrongSignature
    /// The registry has no such passkey, or it is another owner's.
    case unknown
}
