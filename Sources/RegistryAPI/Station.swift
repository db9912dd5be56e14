/// A place where a monitor listens.
public struct Station: Codable, Hashable, Sendable {
    public var id: StationID
    /// What the owner reads in an alert, 1–64 characters.
    public var name: String
    /// The surveyed place.
    public var place: Place
    public var enrolled: Timestamp

    public init(id: StationID, name: String, place: Place, enrolled: Timestamp) {
        self.id = id
        self.name = name
        self.place = place
        self.enrolled = enrolled
    }
}

/// Body of `POST /v1/invitations`, an operator's call.
public struct InvitationDraft: Codable, Hashable, Sendable {
    public var name: String
    public var place: Place

    public init(name: String, place: Place) {
        self.name = name
        self.place = place
    }
}

/// Answer to `POST /v1/invitations`. The code is shown this once, works once and expires.
public struct Invitation: Codable, Hashable, Sendable {
    public var id: InvitationID
    public var code: String
    public var expires: Timestamp

    public init(id: InvitationID, code: String, expires: Timestamp) {
        self.id = id
        self.code = code
        self.expires = expires
    }
}

/// Body of `POST /v1/station/enrolment`.
public struct EnrolmentRequest: Codable, Hashable, Sendable {
    public var code: String

    public init(code: String) {
        self.code = code
    }
}

/// Answer to `POST /v1/station/enrolment`. The token is shown this once.
public struct StationEnrolled: Codable, Hashable, Sendable {
    public var station: Station
    public var token: String

    public init(station: Station, token: String) {
        self.station = station
        self.token = token
    }
}
