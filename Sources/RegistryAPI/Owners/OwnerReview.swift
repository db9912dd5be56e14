public import Beacons

/// An owner as operators list them: no bike, no sighting, no channel.
public struct OwnerSummary: Codable, Hashable, Sendable {
    public var id: OwnerID
    public var created: Timestamp
    /// When one of its tokens was last used, to the hour; absent where none ever was.
    public var lastActive: Timestamp?
    /// Since when an operator lets nothing of it be searched for; absent where that is not so.
    public var suspended: Timestamp?
    /// How many reports it has opened, erased ones included.
    public var reports: Int
    /// How many of them have no police reference that an operator has confirmed.
    public var unconfirmed: Int

    public init(
        id: OwnerID, created: Timestamp, lastActive: Timestamp? = nil, suspended: Timestamp? = nil, reports: Int = 0,
        unconfirmed: Int = 0
    ) {
        self.id = id
        self.created = created
        self.lastActive = lastActive
        self.suspended = suspended
        self.reports = reports
        self.unconfirmed = unconfirmed
    }
}

/// What an operator sees of one owner.
public struct OwnerReview: Codable, Hashable, Sendable {
    public var owner: OwnerSummary
    public var bikes: Int
    /// What it may have at a time.
    public var quotas: Quotas
    /// The latest ones first, a limited number of each bike.
    public var reports: [ReportReview]

    public init(owner: OwnerSummary, bikes: Int, quotas: Quotas, reports: [ReportReview]) {
        self.owner = owner
        self.bikes = bikes
        self.quotas = quotas
        self.reports = reports
    }
}

/// What an operator sees of a report: dates and references, never what was heard.
public struct ReportReview: Codable, Hashable, Sendable {
    public var id: ReportID
    /// The bike's beacon; absent where the bike was handed over.
    public var beacon: BeaconIdentity?
    public var opened: Timestamp
    public var closed: Timestamp?
    public var policeReference: String?
    public var policeForce: String?
    /// When an operator confirmed the reference.
    public var confirmed: Timestamp?
    /// When the search ends or ended; absent where an operator has confirmed the reference.
    public var sightingsUntil: Timestamp?
    /// Since when an operator keeps the beacon off the missing list.
    public var stopped: Timestamp?

    public init(
        id: ReportID, beacon: BeaconIdentity?, opened: Timestamp, closed: Timestamp? = nil,
        policeReference: String? = nil, policeForce: String? = nil, confirmed: Timestamp? = nil,
        sightingsUntil: Timestamp? = nil, stopped: Timestamp? = nil
    ) {
        self.id = id
        self.beacon = beacon
        self.opened = opened
        self.closed = closed
        self.policeReference = policeReference
        self.policeForce = policeForce
        self.confirmed = confirmed
        self.sightingsUntil = sightingsUntil
        self.stopped = stopped
    }
}

/// Body of `PUT /v1/owners/{id}/suspension` and `PUT /v1/beacons/{identity}/stop`.
public struct OperatorReason: Codable, Hashable, Sendable {
    /// What to tell the owner about it, at most 500 characters.
    public var reason: String?

    public init(reason: String? = nil) { self.reason = reason }
}

/// Body of `PUT /v1/reports/{id}/confirmation`.
public struct ReferenceConfirmation: Codable, Hashable, Sendable {
    /// The reference that was checked: one that its owner has changed since is not confirmed.
    public var policeReference: String

    public init(policeReference: String) { self.policeReference = policeReference }
}

/// Answer to `PUT` and `DELETE` on `/v1/beacons/{identity}/stop`.
public struct BeaconReview: Codable, Hashable, Sendable {
    public var identity: BeaconIdentity
    /// Since when an operator keeps it off the missing list; absent where that is not so.
    public var stopped: Timestamp?

    public init(identity: BeaconIdentity, stopped: Timestamp? = nil) {
        self.identity = identity
        self.stopped = stopped
    }
}

extension OperatorReason: WireObject {
    public static let blank = OperatorReason()

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.optional("reason", &reason, .text(0...500))
    }
}

extension ReferenceConfirmation: WireObject {
    public static let blank = ReferenceConfirmation(policeReference: "")

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("policeReference", &policeReference, .text(1...64))
    }
}
