public import Beacons

/// An owner in the operators' list, without bikes, sightings or channels.
public struct OwnerSummary: Codable, Hashable, Sendable {
    public var id: OwnerID
    public var created: Timestamp
    /// The time when one of the owner's tokens was last used, to the hour; absent if none has been used yet.
    public var lastActive: Timestamp?
    /// The time since which an operator has suspended the owner's searches; absent if they are not suspended.
    public var suspended: Timestamp?
    /// The time when an operator verified who the owner is; absent if none has.
    public var verified: Timestamp?
    /// The number of reports that the owner has opened, including erased ones.
    public var reports: Int
    /// The number of reports without a police reference confirmed by an operator.
    public var unconfirmed: Int

    public init(
        id: OwnerID, created: Timestamp, lastActive: Timestamp? = nil, suspended: Timestamp? = nil,
        verified: Timestamp? = nil, reports: Int = 0, unconfirmed: Int = 0
    ) {
        self.id = id
        self.created = created
        self.lastActive = lastActive
        self.suspended = suspended
        self.verified = verified
        self.reports = reports
        self.unconfirmed = unconfirmed
    }
}

/// The operators' view of one owner.
public struct OwnerReview: Codable, Hashable, Sendable {
    public var owner: OwnerSummary
    public var bikes: Int
    /// The limits of what the owner may have at a time.
    public var quotas: Quotas
    /// The quotas that an operator has set for this owner; absent if the registry's settings apply to all.
    public var exceptions: QuotaExceptions?
    /// The reports, with the latest first, and a limited number for each bike.
    public var reports: [ReportReview]

    public init(
        owner: OwnerSummary, bikes: Int, quotas: Quotas, exceptions: QuotaExceptions? = nil, reports: [ReportReview]
    ) {
        self.owner = owner
        self.bikes = bikes
        self.quotas = quotas
        self.exceptions = exceptions
        self.reports = reports
    }
}

/// The operators' view of a report: dates and references, but no sightings.
public struct ReportReview: Codable, Hashable, Sendable {
    public var id: ReportID
    /// The bike's beacon; absent if the bike was transferred.
    public var beacon: BeaconIdentity?
    /// Whether ``beacon`` is only the name of a rotating beacon, which no beacon sends; absent means no.
    public var rotating: Bool?
    public var opened: Timestamp
    public var closed: Timestamp?
    public var policeReference: String?
    public var policeForce: String?
    /// The time when an operator confirmed the reference.
    public var confirmed: Timestamp?
    /// The time when the search ends or ended; absent if an operator has confirmed the reference.
    public var sightingsUntil: Timestamp?
    /// The time since which an operator keeps the beacon off the missing list.
    public var stopped: Timestamp?

    public init(
        id: ReportID, beacon: BeaconIdentity?, rotating: Bool? = nil, opened: Timestamp, closed: Timestamp? = nil,
        policeReference: String? = nil, policeForce: String? = nil, confirmed: Timestamp? = nil,
        sightingsUntil: Timestamp? = nil, stopped: Timestamp? = nil
    ) {
        self.id = id
        self.beacon = beacon
        self.rotating = rotating
        self.opened = opened
        self.closed = closed
        self.policeReference = policeReference
        self.policeForce = policeForce
        self.confirmed = confirmed
        self.sightingsUntil = sightingsUntil
        self.stopped = stopped
    }
}

/// Body of `PUT /v1/owners/{id}/suspension` and `PUT /v1/claims/{id}/refusal`.
public struct OperatorReason: Codable, Hashable, Sendable {
    /// The reason that is sent to the owner, at most 500 characters.
    public var reason: String?

    public init(reason: String? = nil) { self.reason = reason }
}

/// Body of `PUT /v1/beacons/{identity}/stop`.
public struct StopReason: Codable, Hashable, Sendable {
    /// The reason that is sent to the owner, who can object to it; at most 500 characters.
    public var reason: String

    public init(reason: String) { self.reason = reason }
}

/// Body of `PUT /v1/reports/{id}/confirmation`.
public struct ReferenceConfirmation: Codable, Hashable, Sendable {
    /// The reference that was checked. It is refused if the owner has changed it since.
    public var policeReference: String

    public init(policeReference: String) { self.policeReference = policeReference }
}

/// Response to `PUT` and `DELETE` on `/v1/beacons/{identity}/stop`.
public struct BeaconReview: Codable, Hashable, Sendable {
    public var identity: BeaconIdentity
    /// The time since which an operator keeps it off the missing list; absent if it is not stopped.
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

extension StopReason: WireObject {
    public static let blank = StopReason(reason: "")

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("reason", &reason, .text(1...500))
    }
}

extension ReferenceConfirmation: WireObject {
    public static let blank = ReferenceConfirmation(policeReference: "")

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("policeReference", &policeReference, .text(1...64))
    }
}
