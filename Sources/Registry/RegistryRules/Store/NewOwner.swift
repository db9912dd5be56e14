public import RegistryAPI

/// An owner to store; only the digests of secrets are known.
public struct NewOwner: Sendable {
    public var id: OwnerID
    public var created: Timestamp
    /// Whether venues may show what the owner's missing bikes look like.
    public var tellsAppearance: Bool
    /// The first token; nil if the owner has signed up in a browser.
    public var token: NewToken?
    /// The browser in which the owner has signed up; nil if there is none.
    public var browser: Browser?
    /// The digests of the owner's recovery codes.
    public var recoveryCodes: [SecretDigest]
    /// The invitation's code, which is used up; nil if none is needed.
    public var invitation: SecretDigest?

    public init(
        id: OwnerID, created: Timestamp, tellsAppearance: Bool = true, token: NewToken?, browser: Browser? = nil,
        recoveryCodes: [SecretDigest] = [], invitation: SecretDigest? = nil
    ) {
        self.id = id
        self.created = created
        self.tellsAppearance = tellsAppearance
        self.token = token
        self.browser = browser
        self.recoveryCodes = recoveryCodes
        self.invitation = invitation
    }

    /// A browser with its session and passkey.
    public struct Browser: Sendable {
        public var session: NewSession
        public var passkey: NewPasskey
        /// Whether the same request came before: the owner gets new secrets if the first ones have not been used.
        public var isRepeated: Bool

        public init(session: NewSession, passkey: NewPasskey, isRepeated: Bool = false) {
            self.session = session
            self.passkey = passkey
            self.isRepeated = isRepeated
        }
    }
}

/// An owner's token to store; only the digest of its secret is known.
public struct NewToken: Sendable {
    public var details: OwnerToken
    public var digest: SecretDigest

    public init(_ details: OwnerToken, digest: SecretDigest) {
        self.details = details
        self.digest = digest
    }
}

/// The policy for who may become an owner.
public enum OwnerRegistration: String, CaseIterable, Hashable, Sendable {
    /// Anybody.
    case open
    /// Anybody with an operator's invitation.
    case invited
}
