/// A monitor's station, as operators see it.
public struct Station: Codable, Hashable, Sendable {
    public var id: StationID
    /// The name in owners' alerts, 1–64 characters.
    public var name: String
    /// The name of the venue, 1–64 characters: stations of one venue do not corroborate each other.
    public var venue: String
    /// Whether the station is mobile and reports its own place.
    public var mobile: Bool
    /// The surveyed place.
    public var place: Place
    /// The time since which it is located there.
    public var placedSince: Timestamp
    public var enrolled: Timestamp
    /// The time when it was revoked; absent while the station is trusted.
    public var revoked: Timestamp?
    /// The time from which its reports are not trusted; absent if all are trusted.
    public var quarantinedSince: Timestamp?
    /// The progress while its sightings are judged again, because it was moved, renamed or put under quarantine.
    public var judgement: Judgement?
    /// The last heartbeat; absent before the first.
    public var heartbeat: ReceivedHeartbeat?
    /// Whole minutes since the last heartbeat, or since the enrolment if there was none.
    public var silentMinutes: Int
    /// Whether it hears and reports; absent in the response to an enrolment.
    public var state: State?

    /// Whether a station hears and reports.
    public enum State: String, Codable, CaseIterable, Hashable, Sendable {
        case listening
        /// It sends heartbeats, but has no working receiver.
        case deaf
        /// The last heartbeat is too old.
        case silent
        /// There was no heartbeat yet.
        case new
        case revoked
    }

    /// The progress of judging again. Readers see the final result from the beginning.
    public struct Judgement: Codable, Hashable, Sendable {
        public var began: Timestamp
        /// The number of sightings judged so far.
        public var sightings: Int

        public init(began: Timestamp, sightings: Int) {
            self.began = began
            self.sightings = sightings
        }
    }

    /// A heartbeat and the time when it was received.
    public struct ReceivedHeartbeat: Codable, Hashable, Sendable {
        public var received: Timestamp
        public var heartbeat: StationHeartbeat

        public init(received: Timestamp, heartbeat: StationHeartbeat) {
            self.received = received
            self.heartbeat = heartbeat
        }
    }

    /// - Parameters:
    ///   - venue: by default the name.
    ///   - placedSince: by default the time of enrolment.
    public init(
        id: StationID, name: String, venue: String? = nil, mobile: Bool = false, place: Place,
        placedSince: Timestamp? = nil, enrolled: Timestamp, revoked: Timestamp? = nil,
        quarantinedSince: Timestamp? = nil, judgement: Judgement? = nil, heartbeat: ReceivedHeartbeat? = nil
    ) {
        self.id = id
        self.name = name
        self.venue = venue ?? name
        self.mobile = mobile
        self.place = place
        self.placedSince = placedSince ?? enrolled
        self.enrolled = enrolled
        self.revoked = revoked
        self.quarantinedSince = quarantinedSince
        self.judgement = judgement
        self.heartbeat = heartbeat
        silentMinutes = 0
    }
}

/// Body of `PATCH /v1/stations/{id}`: absent fields stay unchanged.
public struct StationPatch: Codable, Hashable, Sendable {
    public var name: String?
    public var venue: String?
    /// The current place of the station.
    public var place: Place?
    /// The time since which it is located there, at most 30 days ago; absent means now. Only together with ``place``.
    public var since: Timestamp?

    public init(name: String? = nil, venue: String? = nil, place: Place? = nil, since: Timestamp? = nil) {
        self.name = name
        self.venue = venue
        self.place = place
        self.since = since
    }
}

/// Body of `POST /v1/invitations`, a request by an operator.
public struct InvitationDraft: Codable, Hashable, Sendable {
    public var name: String
    /// The venue; by default the name of the station.
    public var venue: String?
    /// Whether the station is mobile; absent means that it is located at ``place``.
    public var mobile: Bool?
    public var place: Place

    public init(name: String, venue: String? = nil, mobile: Bool? = nil, place: Place) {
        self.name = name
        self.venue = venue
        self.mobile = mobile
        self.place = place
    }
}

/// Response to `POST /v1/invitations`. The code is shown only once, works only once and expires.
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

/// An invitation that has not been accepted yet, without its code, which was shown once.
public struct PendingInvitation: Codable, Hashable, Sendable {
    public var id: InvitationID
    public var name: String
    public var venue: String
    public var mobile: Bool
    public var place: Place
    public var created: Timestamp
    public var expires: Timestamp

    public init(
        id: InvitationID, name: String, venue: String, mobile: Bool, place: Place, created: Timestamp,
        expires: Timestamp
    ) {
        self.id = id
        self.name = name
        self.venue = venue
        self.mobile = mobile
        self.place = place
        self.created = created
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

/// Response to `POST /v1/station/enrolment`. The token is shown only once.
public struct StationEnrolled: Codable, Hashable, Sendable {
    public var station: Station
    public var token: String

    public init(station: Station, token: String) {
        self.station = station
        self.token = token
    }
}

extension InvitationDraft: WireObject {
    public static let blank = InvitationDraft(name: "", place: .blank)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("name", &name, .text(1...64))
        fields.optional("venue", &venue, .text(1...64))
        fields.optional("mobile", &mobile, .boolean)
        fields.required("place", &place, .object())
    }
}

extension EnrolmentRequest: WireObject {
    public static let blank = EnrolmentRequest(code: "")

    public mutating func describe(_ fields: inout some FieldCoder) { fields.required("code", &code, .text(1...64)) }
}

extension StationPatch: WireObject {
    public static let blank = StationPatch()
    /// The maximum time since a move.
    public static let earliestMove = Duration.days(30)
    /// The permitted lead of an operator's clock over the registry's.
    public static let clockTolerance = Duration.seconds(300)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.optional("name", &name, .text(1...64))
        fields.optional("venue", &venue, .text(1...64))
        fields.optional("place", &place, .object())
        fields.optional("since", &since, .timestamp)
        guard let since else { return }
        if place == nil { fields.refuse("since", "is only for a move; add the new place") }
        if since < fields.now.advanced(by: .zero - Self.earliestMove) {
            fields.refuse("since", "must be at most 30 days ago")
        }
        if since > fields.now.advanced(by: Self.clockTolerance) {
            fields.refuse("since", "must not be in the future; leave it out for now")
        }
    }
}
