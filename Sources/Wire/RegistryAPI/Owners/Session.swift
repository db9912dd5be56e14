/// The way in which a browser was signed in.
public enum SignInMethod: String, Codable, CaseIterable, Hashable, Sendable {
    case passkey
    case recoveryCode
    /// An owner's token was pasted; the session ends when the token is revoked.
    case token
}

/// A browser that is signed in. Its secret is in a cookie, which no page can read.
public struct Session: Codable, Hashable, Sendable {
    public var id: TokenID
    /// The browser's name, as its page gave it.
    public var name: String
    public var signedIn: SignInMethod
    /// The scope at this moment: `manage` until ``confirmedUntil``, then `report`; `read` if a token with that scope was
    /// pasted.
    public var scope: TokenScope
    public var created: Timestamp
    /// The last use, to the hour; absent if there was none since it was signed in.
    public var lastUsed: Timestamp?
    /// The end, 90 days after the last use.
    public var expires: Timestamp
    /// Until when the session has the scope `manage`; absent if it has not.
    public var confirmedUntil: Timestamp?
    /// Whether it is the session of this request.
    public var current: Bool

    public init(
        id: TokenID, name: String, signedIn: SignInMethod, scope: TokenScope, created: Timestamp,
        lastUsed: Timestamp? = nil, expires: Timestamp, confirmedUntil: Timestamp? = nil, current: Bool = false
    ) {
        self.id = id
        self.name = name
        self.signedIn = signedIn
        self.scope = scope
        self.created = created
        self.lastUsed = lastUsed
        self.expires = expires
        self.confirmedUntil = confirmedUntil
        self.current = current
    }
}

/// Body of `POST /v1/sessions`: one of a passkey, a recovery code and an owner's token.
public struct SignIn: Codable, Hashable, Sendable {
    /// The name of the session; `browser` if it is absent.
    public var name: String?
    public var passkey: PasskeyAssertion?
    public var recoveryCode: String?
    public var token: String?

    public init(
        name: String? = nil, passkey: PasskeyAssertion? = nil, recoveryCode: String? = nil, token: String? = nil
    ) {
        self.name = name
        self.passkey = passkey
        self.recoveryCode = recoveryCode
        self.token = token
    }
}

/// Body of `PUT /v1/session/confirmation`: a passkey or a recovery code.
public struct SessionConfirmation: Codable, Hashable, Sendable {
    public var passkey: PasskeyAssertion?
    public var recoveryCode: String?

    public init(passkey: PasskeyAssertion? = nil, recoveryCode: String? = nil) {
        self.passkey = passkey
        self.recoveryCode = recoveryCode
    }
}

/// Body of `POST /v1/sign-up`.
public struct SignUp: Codable, Hashable, Sendable {
    /// See ``OwnerDraft/invitation``.
    public var invitation: String?
    /// See ``Owner/tellsAppearance``; true if it is absent.
    public var tellsAppearance: Bool?
    /// The name of the browser, for the session and the passkey; `browser` if it is absent.
    public var name: String?
    public var passkey: PasskeyRegistration

    public init(
        invitation: String? = nil, tellsAppearance: Bool? = nil, name: String? = nil, passkey: PasskeyRegistration
    ) {
        self.invitation = invitation
        self.tellsAppearance = tellsAppearance
        self.name = name
        self.passkey = passkey
    }
}

/// Response to `POST /v1/sign-up`. The recovery codes are shown only once.
public struct SignedUp: Codable, Hashable, Sendable {
    public var owner: Owner
    public var session: Session
    public var passkey: Passkey
    /// See ``OwnerCreated/recoveryCodes``.
    public var recoveryCodes: [String]

    public init(owner: Owner, session: Session, passkey: Passkey, recoveryCodes: [String]) {
        self.owner = owner
        self.session = session
        self.passkey = passkey
        self.recoveryCodes = recoveryCodes
    }
}

extension SignIn: WireObject {
    public static let blank = SignIn()

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.optional("name", &name, .text(1...64))
        fields.optional("passkey", &passkey, .object())
        fields.optional("recoveryCode", &recoveryCode, .text(1...64))
        fields.optional("token", &token, .text(1...128))
        let count = [passkey != nil, recoveryCode != nil, token != nil].count { $0 }
        guard fields.isSound, count != 1 else { return }
        fields.refuse("passkey", "must be the only one of passkey, recoveryCode and token; send exactly one of them")
    }
}

extension SessionConfirmation: WireObject {
    public static let blank = SessionConfirmation()

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.optional("passkey", &passkey, .object())
        fields.optional("recoveryCode", &recoveryCode, .text(1...64))
        guard fields.isSound, (passkey == nil) == (recoveryCode == nil) else { return }
        fields.refuse("passkey", "must be there, or recoveryCode; send exactly one of them")
    }
}

extension SignUp: WireObject {
    public static let blank = SignUp(passkey: .blank)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.optional("invitation", &invitation, .text(1...64))
        fields.optional("tellsAppearance", &tellsAppearance, .boolean)
        fields.optional("name", &name, .text(1...64))
        fields.required("passkey", &passkey, .object())
    }
}
