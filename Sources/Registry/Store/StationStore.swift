public import RegistryAPI

/// An invitation to store; only the digest of its code is known.
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

/// A code to exchange for a station.
public struct Enrolment: Sendable {
    public var code: SecretDigest
    /// The identifier of the attempt: repeating the attempt returns the same station with a new token. nil for an
    /// attempt that cannot be repeated.
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

/// A station with the number of its current state, which each change by an operator increments.
public struct VersionedStation: Hashable, Sendable {
    public var station: Station
    public var version: Int64

    public init(station: Station, version: Int64) {
        self.station = station
        self.version = version
    }
}

/// The result of one step of judging again.
public struct JudgementStep: Hashable, Sendable {
    /// The reports whose sightings have changed.
    public var reports: Set<ReportID>
    /// The number of alerts that were queued.
    public var alerts: Int

    public init(reports: Set<ReportID>, alerts: Int) {
        self.reports = reports
        self.alerts = alerts
    }
}

/// Stations, and the invitations with which they enrol.
public protocol StationStore: Sendable {
    /// Adds an invitation and returns its identifier. A repeated call renews the code and the expiry of the first
    /// invitation, since its code cannot be shown again.
    ///
    /// - Throws: `invitationAccepted`, `idempotencyKeyReused`.
    func addInvitation(_ invitation: NewInvitation, once: IdempotencyKey?) async throws -> InvitationID

    /// The invitations that can still be accepted, in the order of their creation.
    func pendingInvitations(
        _ page: PageRequest<InvitationID>, at time: Timestamp
    ) async throws -> StoredPage<PendingInvitation, InvitationID>

    /// Cancels an invitation that nobody has accepted: its code no longer works.
    ///
    /// - Throws: `notFound`, `invitationAccepted`.
    func cancelInvitation(_ id: InvitationID, by operator: Principal, at time: Timestamp) async throws

    /// Exchanges an unused, unexpired code for a station with the invitation's name and place. The attempt that used a
    /// code may be repeated until the code expires: this replaces a token that was lost on the way.
    ///
    /// - Throws: `codeUnusable`.
    func enrol(_ enrolment: Enrolment) async throws -> Station

    /// All stations, in the order of their enrolment.
    func stations(_ page: PageRequest<StationID>) async throws -> StoredPage<Station, StationID>

    func station(_ id: StationID) async throws -> VersionedStation?

    /// Changes a station. A move takes effect at its time. The station's sightings since then, or all of them if the
    /// venue changes, are immediately judged again for all readers, and stored in steps (``judgeAnew(limit:at:)``).
    ///
    /// - Parameters:
    ///   - version: the state that the change is meant for; nil for any.
    ///   - operator: the operator who changes it.
    /// - Throws: `notFound`, `changedMeanwhile`, `invalidFields` for a move before the last one.
    func changeStation(
        _ id: StationID, _ patch: StationPatch, version: Int64?, by operator: Principal, at time: Timestamp
    ) async throws -> VersionedStation

    /// Revokes a station's token, and quarantines its sightings since a time: they are kept, immediately disputed for
    /// all readers, and waiting alerts about them are not sent. The call may be repeated with an earlier time.
    ///
    /// - Parameter quarantine: sightings last heard at this time or later are not trusted;
    ///   nil leaves the quarantine unchanged.
    /// - Throws: `notFound`.
    func revokeStation(
        _ id: StationID, quarantineSince quarantine: Timestamp?, by operator: Principal, at time: Timestamp
    ) async throws -> Station

    /// Continues judging again the sightings of stations that were changed or quarantined, and stores the results.
    ///
    /// - Parameter limit: the maximum number of sightings to judge.
    /// - Returns: the result; nil if nothing is left to judge.
    func judgeAnew(limit: Int, at time: Timestamp) async throws -> JudgementStep?

    /// Records a station's last sign of life, and the quarters of an hour that come with it.
    ///
    /// - Throws: `notFound`.
    @discardableResult
    func recordHeartbeat(
        _ heartbeat: StationHeartbeat, of station: StationID, at time: Timestamp
    ) async throws -> CoverageReceipt

    /// What a station heard on a day.
    ///
    /// - Throws: `notFound`.
    func coverage(of station: StationID, on day: CalendarDate) async throws -> StationCoverage
}
