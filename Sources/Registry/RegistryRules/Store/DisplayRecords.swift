public import RegistryAPI

/// A display to store; only the digest of its code is known.
public struct NewDisplay: Sendable {
    public var id: DisplayID
    public var station: StationID
    public var name: String
    public var code: SecretDigest
    public var created: Timestamp

    public init(id: DisplayID, station: StationID, name: String, code: SecretDigest, created: Timestamp) {
        self.id = id
        self.station = station
        self.name = name
        self.code = code
        self.created = created
    }
}

/// A code to exchange for a display's secret.
public struct PairingAttempt: Sendable {
    /// The digest of the code.
    public var code: SecretDigest
    /// The identifier of the attempt: repeating it replaces a secret whose response was lost, as long as the first has
    /// not been used. Nil for an attempt that cannot be repeated.
    public var attempt: SecretDigest?
    /// The digest of the display's new secret.
    public var secret: SecretDigest
    /// The digest of the secret of the screen's previous display, which ends; nil if there was none.
    public var former: SecretDigest?
    public var time: Timestamp

    public init(
        code: SecretDigest, attempt: SecretDigest? = nil, secret: SecretDigest, former: SecretDigest? = nil,
        time: Timestamp
    ) {
        self.code = code
        self.attempt = attempt
        self.secret = secret
        self.former = former
        self.time = time
    }
}

/// What a display shows, and whether its use must be recorded.
public struct OpenedDisplay: Sendable {
    public var id: DisplayID
    public var station: StationID
    /// The last recorded use; nil if there was none.
    public var lastUsed: Timestamp?
    /// The view, without the operator's contact, which is a setting.
    public var view: DisplayView

    public init(id: DisplayID, station: StationID, lastUsed: Timestamp?, view: DisplayView) {
        self.id = id
        self.station = station
        self.lastUsed = lastUsed
        self.view = view
    }
}
