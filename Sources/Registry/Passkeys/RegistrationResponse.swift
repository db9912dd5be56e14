package import RegistryAPI

/// A new passkey, as a browser sends it (Web Authentication, section 7.1). The maker of the authenticator is not
/// verified: the registry trusts no maker more than another.
public struct RegistrationResponse: Hashable, Sendable {
    public var clientDataJSON: [UInt8]
    public var authenticatorData: [UInt8]
    /// The SubjectPublicKeyInfo (``PasskeyKey/subjectPublicKeyInfo``).
    public var publicKey: [UInt8]
    /// The number of the algorithm (``PasskeyAlgorithm``).
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
    /// The identifier that the authenticator has given the passkey, at most 1023 bytes.
    public let credentialID: [UInt8]
    public let key: PasskeyKey
    /// The count of the authenticator's signatures (``SignatureCounter``).
    public let counter: UInt32
}

extension PasskeyRegistration {
    /// The bytes to verify.
    package var response: RegistrationResponse {
        RegistrationResponse(
            clientDataJSON: clientDataJSON.bytes, authenticatorData: authenticatorData.bytes,
            publicKey: publicKey.bytes, publicKeyAlgorithm: publicKeyAlgorithm)
    }
}
