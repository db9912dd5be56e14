public import RegistryAPI

/// One change by one principal, as the audit keeps it.
///
/// Entries that name an owner are that owner's personal data: an erasure deletes what they say and leaves the chain.
public struct AuditEvent: Hashable, Sendable {
    public var action: AuditAction
    /// Who did it; nil where no token was needed, or where the registry did it by itself.
    public var principal: Principal?
    public var time: Timestamp
    /// Whose data the entry holds; the owner who did it unless another is named. What is two owners' data (a bike handed
    /// over) is two events.
    public var owner: OwnerID?
    public var bike: BikeID?
    public var report: ReportID?
    public var station: StationID?
    /// What changed, by the names of the wire's fields. Never a secret.
    public var details: [String: String]

    public init(
        _ action: AuditAction, by principal: Principal?, at time: Timestamp, owner: OwnerID? = nil,
        bike: BikeID? = nil, report: ReportID? = nil, station: StationID? = nil, details: [String: String] = [:]
    ) {
        self.action = action
        self.principal = principal
        self.time = time
        self.owner = owner ?? principal?.owner
        self.bike = bike
        self.report = report
        self.station = station
        self.details = details
    }
}

/// What was done.
public enum AuditAction: String, CaseIterable, Hashable, Sendable {
    case ownerCreated = "owner.created"
    case operatorCreated = "operator.created"
    case operatorRevoked = "operator.revoked"
    case ownerInvited = "owner.invited"
    case ownerChanged = "owner.changed"
    case ownerErased = "owner.erased"
    case ownerSuspended = "owner.suspended"
    case ownerResumed = "owner.resumed"
    case quotasChanged = "quotas.changed"
    case tokenCreated = "token.created"
    case tokenRevoked = "token.revoked"
    case recoveryUsed = "recovery.used"
    case recoveryCodesReplaced = "recovery.replaced"
    case bikeRegistered = "bike.registered"
    case bikeChanged = "bike.changed"
    case bikeErased = "bike.erased"
    case beaconMoved = "beacon.moved"
    case beaconRetired = "beacon.retired"
    case beaconStopped = "beacon.stopped"
    case beaconAllowed = "beacon.allowed"
    case beaconTested = "beacon.tested"
    case beaconProved = "beacon.proved"
    case claimAccepted = "claim.accepted"
    case claimRefused = "claim.refused"
    case transferOffered = "transfer.offered"
    case bikeTransferred = "bike.transferred"
    case findTold = "find.told"
    case reportOpened = "report.opened"
    case reportChanged = "report.changed"
    case reportClosed = "report.closed"
    case reportExpired = "report.expired"
    case reportSuspended = "report.suspended"
    case referenceConfirmed = "reference.confirmed"
    case referenceWithdrawn = "reference.withdrawn"
    case sightingsDeleted = "sightings.deleted"
    case channelAdded = "channel.added"
    case channelChanged = "channel.changed"
    case channelVerified = "channel.verified"
    case channelRemoved = "channel.removed"
    case stationInvited = "station.invited"
    case stationInvitationCancelled = "station.invitation.cancelled"
    case stationEnrolled = "station.enrolled"
    case stationChanged = "station.changed"
    case stationRevoked = "station.revoked"
    case stationJudged = "station.judged"
    case sightingStored = "sighting.stored"
    /// What was heard of it has changed; its record is another.
    case sightingChanged = "sighting.changed"
    case sightingDismissed = "sighting.dismissed"
    case sightingAcknowledged = "sighting.acknowledged"
    /// Entries were emptied, by the erasure of an owner or a bike.
    case entriesErased = "entries.erased"
    /// From here on entries commit to what sightings and stations' places are; none did before.
    case recordsBegun = "records.begun"
}
