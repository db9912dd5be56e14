public import RegistryAPI

/// An invitation to be stored; its code is known by the digest only.
public struct NewInvitation: Sendable {
    public var id: InvitationID
    public var details: InvitationDraft
    public var code: SecretDigest
    public var created: Timestamp
    public var expires: Timestamp
    /// The operator who invites.
    public var by: Principal?

    public init(
        id: InvitationID, details: InvitationDraft, code: SecretDigest, created: Timestamp, expires: Timestamp,
        by: Principal? = nil
    ) {
        self.id = id
        self.details = details
        self.code = code
        self.created = created
        self.expires = expires
        self.by = by
    }
}

/// A code to be traded for a station.
public struct Enrolment: Sendable {
    public var code: SecretDigest
    /// Names the attempt: whoever repeats it gets the same station with a new token. nil for an attempt that cannot be
    /// repeated.
    public var attempt: SecretDigest?
    public var station: StationID
    public var token: SecretDigest
    public var time: Timestamp

    public init(
        code: SecretDigest, attempt: SecretDigest? = nil, station: StationID, token: SecretDigest, time: Timestamp
    ) {
        self.code = code
        self.attempt = attempt
        self.station = station
        self.token = token
        self.time = time
    }
}

/// A station with the number of its present state, which each change by an operator counts up.
public struct VersionedStation: Hashable, Sendable {
    public var station: Station
    public var version: Int64

    public init(station: Station, version: Int64) {
        self.station = station
        self.version = version
    }
}

/// What a step of judging again has brought about.
public struct JudgementStep: Hashable, Sendable {
    /// Whose sightings have changed.
    public var reports: Set<ReportID>
    /// How many alerts tell of it.
    public var alerts: Int

    public init(reports: Set<ReportID>, alerts: Int) {
        self.reports = reports
        self.alerts = alerts
    }
}

/// Stations and the invitations by which they enrol.
public protocol StationStore: Sendable {
    /// Adds an invitation and returns its identifier. A repeated call renews the code and the expiry of the first
    /// invitation, since its code cannot be shown again.
    ///
    /// - Throws: `invitationAccepted`, `idempotencyKeyReused`.
    func addInvitation(_ invitation: NewInvitation, once: IdempotencyKey?) async throws -> InvitationID

    /// The invitations that can still be accepted, in the order of their making.
    func pendingInvitations(
        _ page: PageRequest<InvitationID>, at time: Timestamp
    ) async throws -> StoredPage<PendingInvitation, InvitationID>

    /// Takes back an invitation that nobody has accepted: its code works no longer.
    ///
    /// - Throws: `notFound`, `invitationAccepted`.
    func cancelInvitation(_ id: InvitationID, by operator: Principal, at time: Timestamp) async throws

    /// Trades an unused, unexpired code for a station with the invitation's name and place. The attempt that used a code
    /// may be repeated while the code has not expired: the token that was lost on the way is replaced.
    ///
    /// - Throws: `codeUnusable`.
    func enrol(_ enrolment: Enrolment) async throws -> Station

    /// All stations, in the order of their enrolment.
    func stations(_ page: PageRequest<StationID>) async throws -> StoredPage<Station, StationID>

    func station(_ id: StationID) async throws -> VersionedStation?

    /// Changes a station. A move counts from its time on; what the station told since then, or all of it where the venue is
    /// another, is judged again for all readers at once, and stored so step by step (``judgeAnew(limit:at:)``).
    ///
    /// - Parameters:
    ///   - version: the state that the change is meant for; nil for any.
    ///   - operator: who changes it.
    /// - Throws: `notFound`, `changedMeanwhile`, `invalidFields` for a move before the last one.
    func changeStation(
        _ id: StationID, _ patch: StationPatch, version: Int64?, by operator: Principal, at time: Timestamp
    ) async throws -> VersionedStation

    /// Takes a station's token away, and puts what it told since a time under quarantine: such sightings stay, disputed for
    /// all readers at once, and what waits to be told of them is not told. May be repeated to go further back.
    ///
    /// - Parameter quarantine: the earliest last hearing that is not trusted; nil changes nothing of that.
    /// - Throws: `notFound`.
    func revokeStation(
        _ id: StationID, quarantineSince quarantine: Timestamp?, by operator: Principal, at time: Timestamp
    ) async throws -> Station

    /// Goes on judging again what a station told that was changed or put under quarantine, and stores it.
    ///
    /// - Parameter limit: sightings that are looked at.
    /// - Returns: what that has brought about; nil where nothing is left to judge.
    func judgeAnew(limit: Int, at time: Timestamp) async throws -> JudgementStep?

    /// Keeps a station's last sign of life.
    func recordHeartbeat(_ heartbeat: StationHeartbeat, of station: StationID, at time: Timestamp) async throws
}
