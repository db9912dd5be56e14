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
    public var code: SecretDigest
    /// The identifier of the attempt: repeating it replaces a secret whose response was lost, as long as nobody has
    /// used the first. nil for an attempt that cannot be repeated.
    public var attempt: SecretDigest?
    public var secret: SecretDigest
    /// The secret of the display that the screen was before, which ends; nil if there was none.
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
    public var lastUsed: Timestamp?
    /// Without the operator's contact, which is a setting.
    public var view: DisplayView

    public init(id: DisplayID, station: StationID, lastUsed: Timestamp?, view: DisplayView) {
        self.id = id
        self.station = station
        self.lastUsed = lastUsed
        self.view = view
    }
}

/// Screens at venues. Each shows one station's bikes, and nothing else accepts its secret.
///
/// Operations that take the secret check it in their own transaction and throw `displayUnpaired`, including if the
/// station was revoked.
public protocol DisplayStore: Sendable {
    /// Adds a display that waits for its code to be used. It replaces one of the same station that still waits.
    ///
    /// - Throws: `notFound` for a station that is unknown or revoked, `displaysFull`.
    func addDisplay(_ display: NewDisplay, by principal: Principal) async throws

    /// The displays of a station in the order of their creation, without those that have expired.
    ///
    /// - Throws: `notFound`.
    func displays(of station: StationID, at time: Timestamp) async throws -> [VenueDisplay]

    /// - Throws: `notFound`.
    func revokeDisplay(
        _ id: DisplayID, of station: StationID, by principal: Principal, at time: Timestamp
    ) async throws

    /// Exchanges a code that is unused and younger than ``DisplayRules/codeLifetime``.
    ///
    /// - Throws: `codeUnusable`.
    func pairDisplay(_ pairing: PairingAttempt) async throws -> OpenedDisplay

    func openDisplay(_ secret: SecretDigest, at time: Timestamp) async throws -> OpenedDisplay

    /// Records a use, which prolongs the display; nothing happens if it has ended.
    func noteUse(of display: DisplayID, at time: Timestamp) async throws

    /// Merges the answer of staff into a visit of the display's station, as if the station had reported it: it changes
    /// the sighting, its judgement and the owner's alerts in the same way, and the latest answer applies.
    ///
    /// - Returns: nil if the last answer is the same, so that nothing was changed.
    /// - Throws: also `notFound` for a visit that is unknown, is not shown to staff, or was last heard longer than
    ///   ``DisplayRules/answerable`` ago.
    func answerVisit(
        _ visit: VisitID, _ answer: VisitConfirmation.Answer, at display: SecretDigest, time: Timestamp,
        using entropy: Entropy
    ) async throws -> StoredVisit?
}
