/// How an operator proves their identity.
public enum DeskProofKind: String, Codable, CaseIterable, Hashable, Sendable {
    case passkey
    /// The operator's token was pasted.
    case token
}

/// A browser in which an operator is signed in. Its secret is in a cookie, which no page can read.
public struct DeskSession: Codable, Hashable, Sendable {
    public var id: DeskSessionID
    /// The browser's name, as its page gave it.
    public var name: String
    public var `operator`: Holder
    public var signedIn: DeskProofKind
    public var began: Timestamp
    /// The last use, to the minute.
    public var lastUsed: Timestamp
    /// The end, if it is not used again: 60 minutes after the last use, and at most 12 hours after the beginning.
    public var ends: Timestamp
    /// Until when changes are allowed; absent if they are refused.
    public var confirmedUntil: Timestamp?
    /// Until when passkeys can be added and removed; absent if they cannot.
    public var passkeysUntil: Timestamp?
    /// The number of the operator's passkeys that work at this registry. While it is zero, the token confirms the session.
    public var passkeys: Int
    /// Whether it is the session of this request.
    public var current: Bool

    /// The operator who is signed in.
    public struct Holder: Codable, Hashable, Sendable {
        public var id: OperatorID
        public var name: String

        public init(id: OperatorID, name: String) {
            self.id = id
            self.name = name
        }
    }

    public init(
        id: DeskSessionID, name: String, operator holder: Holder, signedIn: DeskProofKind, began: Timestamp,
        lastUsed: Timestamp, ends: Timestamp, confirmedUntil: Timestamp? = nil, passkeysUntil: Timestamp? = nil,
        passkeys: Int, current: Bool = false
    ) {
        self.id = id
        self.name = name
        self.operator = holder
        self.signedIn = signedIn
        self.began = began
        self.lastUsed = lastUsed
        self.ends = ends
        self.confirmedUntil = confirmedUntil
        self.passkeysUntil = passkeysUntil
        self.passkeys = passkeys
        self.current = current
    }
}

/// Body of `POST /v1/desk/session`: a passkey or an operator's token.
public struct DeskSignIn: Codable, Hashable, Sendable {
    /// The name of the session; `browser` if it is absent.
    public var name: String?
    public var passkey: PasskeyAssertion?
    public var token: String?

    public init(name: String? = nil, passkey: PasskeyAssertion? = nil, token: String? = nil) {
        self.name = name
        self.passkey = passkey
        self.token = token
    }
}

/// Body of `POST /v1/desk/session/confirmation`: a passkey or the operator's token.
public struct DeskConfirmation: Codable, Hashable, Sendable {
    public var passkey: PasskeyAssertion?
    public var token: String?

    public init(passkey: PasskeyAssertion? = nil, token: String? = nil) {
        self.passkey = passkey
        self.token = token
    }
}

extension DeskSignIn: WireObject {
    public static let blank = DeskSignIn()

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.optional("name", &name, .text(1...64))
        fields.optional("passkey", &passkey, .object())
        fields.optional("token", &token, .text(1...128))
        guard fields.isSound, (passkey == nil) == (token == nil) else { return }
        fields.refuse("passkey", "must be there, or token; send exactly one of them")
    }
}

extension DeskConfirmation: WireObject {
    public static let blank = DeskConfirmation()

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.optional("passkey", &passkey, .object())
        fields.optional("token", &token, .text(1...128))
        guard fields.isSound, (passkey == nil) == (token == nil) else { return }
        fields.refuse("passkey", "must be there, or token; send exactly one of them")
    }
}
