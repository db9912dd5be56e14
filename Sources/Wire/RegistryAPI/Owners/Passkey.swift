/// One of an owner's passkeys, without its key.
public struct Passkey: Codable, Hashable, Sendable {
    public var id: PasskeyID
    /// The name that its owner gave it.
    public var name: String
    /// The host for which it was made; it does not work at any other.
    public var relyingParty: String
    public var created: Timestamp
    /// The last sign-in or confirmation; absent if there was none.
    public var lastUsed: Timestamp?

    public init(id: PasskeyID, name: String, relyingParty: String, created: Timestamp, lastUsed: Timestamp? = nil) {
        self.id = id
        self.name = name
        self.relyingParty = relyingParty
        self.created = created
        self.lastUsed = lastUsed
    }
}

/// Response to `POST /v1/passkeys/challenge` and `POST /v1/owner/challenge`: what a page needs to call the browser's
/// `navigator.credentials`.
public struct PasskeyChallenge: Codable, Hashable, Sendable {
    public var challenge: Base64URL
    /// The host for which passkeys are made (`rp.id`, `rpId`).
    public var relyingParty: String
    /// The identifier of the owner, or of the owner to be (`user.id`).
    public var user: Base64URL
    /// The algorithms of a new passkey, the best one first (`pubKeyCredParams`).
    public var algorithms: [Int]
    /// The identifiers of the owner's passkeys (`excludeCredentials`, `allowCredentials`); empty without a session.
    public var credentials: [Base64URL]
    /// The number of seconds for which the challenge is valid.
    public var expiresIn: Int

    public init(
        challenge: Base64URL, relyingParty: String, user: Base64URL, algorithms: [Int], credentials: [Base64URL] = [],
        expiresIn: Int
    ) {
        self.challenge = challenge
        self.relyingParty = relyingParty
        self.user = user
        self.algorithms = algorithms
        self.credentials = credentials
        self.expiresIn = expiresIn
    }
}

/// A new passkey: the members of the browser's `AuthenticatorAttestationResponse`.
public struct PasskeyRegistration: Codable, Hashable, Sendable {
    public var clientDataJSON: Base64URL
    /// The result of `getAuthenticatorData()`.
    public var authenticatorData: Base64URL
    /// The result of `getPublicKey()`.
    public var publicKey: Base64URL
    /// The result of `getPublicKeyAlgorithm()`.
    public var publicKeyAlgorithm: Int

    public init(
        clientDataJSON: Base64URL, authenticatorData: Base64URL, publicKey: Base64URL, publicKeyAlgorithm: Int
    ) {
        self.clientDataJSON = clientDataJSON
        self.authenticatorData = authenticatorData
        self.publicKey = publicKey
        self.publicKeyAlgorithm = publicKeyAlgorithm
    }
}

/// The use of a passkey: the identifier of the browser's `PublicKeyCredential`, and the members of its
/// `AuthenticatorAssertionResponse`.
public struct PasskeyAssertion: Codable, Hashable, Sendable {
    /// The `rawId`.
    public var credential: Base64URL
    public var clientDataJSON: Base64URL
    public var authenticatorData: Base64URL
    public var signature: Base64URL
    /// The owner's identifier, as the authenticator stored it.
    public var userHandle: Base64URL?

    public init(
        credential: Base64URL, clientDataJSON: Base64URL, authenticatorData: Base64URL, signature: Base64URL,
        userHandle: Base64URL? = nil
    ) {
        self.credential = credential
        self.clientDataJSON = clientDataJSON
        self.authenticatorData = authenticatorData
        self.signature = signature
        self.userHandle = userHandle
    }
}

/// Body of `POST /v1/passkeys`.
public struct PasskeyDraft: Codable, Hashable, Sendable {
    /// The device or the store of passkeys, 1–64 characters.
    public var name: String
    public var passkey: PasskeyRegistration

    public init(name: String, passkey: PasskeyRegistration) {
        self.name = name
        self.passkey = passkey
    }
}

extension PasskeyRegistration: WireObject {
    public static let blank = PasskeyRegistration(
        clientDataJSON: .specimen, authenticatorData: .specimen, publicKey: .specimen, publicKeyAlgorithm: 0)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("clientDataJSON", &clientDataJSON, .base64(1...1024))
        // The key of a long RSA passkey and an identifier of 1,023 bytes fit.
        fields.required("authenticatorData", &authenticatorData, .base64(1...2048))
        fields.required("publicKey", &publicKey, .base64(1...1024))
        fields.required("publicKeyAlgorithm", &publicKeyAlgorithm, .integer(-65_535...65_535))
    }
}

extension PasskeyAssertion: WireObject {
    public static let blank = PasskeyAssertion(
        credential: .specimen, clientDataJSON: .specimen, authenticatorData: .specimen, signature: .specimen)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("credential", &credential, .base64(1...1023))
        fields.required("clientDataJSON", &clientDataJSON, .base64(1...1024))
        fields.required("authenticatorData", &authenticatorData, .base64(1...2048))
        fields.required("signature", &signature, .base64(1...1024))
        fields.optional("userHandle", &userHandle, .base64(0...64))
    }
}

extension PasskeyDraft: WireObject {
    public static let blank = PasskeyDraft(name: "", passkey: .blank)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("name", &name, .text(1...64))
        fields.required("passkey", &passkey, .object())
    }
}
