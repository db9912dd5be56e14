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
    /// The digest of the code.
    public var code: SecretDigest
    /// The identifier of the attempt: repeating the attempt returns the same station with a new token. Nil for an
    /// attempt that cannot be repeated.
    public var attempt: SecretDigest?
    /// The identifier of the station if the attempt makes it.
    public var station: StationID
    /// The digest of the station's new token.
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

/// The numbers of stations by their state (``Station/State``). The metrics and the operators' overview share them.
public struct StationCounts: Hashable, Sendable {
    public var listening: Int
    public var deaf: Int
    public var silent: Int
    public var new: Int
    public var revoked: Int

    public init(listening: Int = 0, deaf: Int = 0, silent: Int = 0, new: Int = 0, revoked: Int = 0) {
        self.listening = listening
        self.deaf = deaf
        self.silent = silent
        self.new = new
        self.revoked = revoked
    }

    /// The stations that are not revoked.
    public var inUse: Int { listening + deaf + silent + new }
}
