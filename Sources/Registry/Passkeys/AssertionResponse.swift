import Crypto
package import RegistryAPI

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
    /// The count of the authenticator's signatures (``SignatureCounter``).
    public let counter: UInt32
}

/// The count of an authenticator's signatures.
public enum SignatureCounter {
    /// Whether a new count is possible after an earlier one. Authenticators that do not count always send zero; any
    /// other count must grow, or there are two copies of the passkey (Web Authentication, section 6.1.1).
    public static func isPlausible(_ new: UInt32, after old: UInt32) -> Bool { new > old || (new == 0 && old == 0) }
}

extension PasskeyAssertion {
    /// The bytes to verify.
    package var response: AssertionResponse {
        AssertionResponse(
            clientDataJSON: clientDataJSON.bytes, authenticatorData: authenticatorData.bytes,
            signature: signature.bytes)
    }
}
