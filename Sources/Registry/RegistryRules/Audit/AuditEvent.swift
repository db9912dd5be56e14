public import RegistryAPI

/// One change by one principal, as recorded in the audit.
///
/// Entries that name an owner are that owner's personal data: an erasure deletes their content and keeps the chain.
public struct AuditEvent: Hashable, Sendable {
    public var action: AuditAction
    /// The principal who made the change; nil if no token was needed, or if the registry itself made it.
    public var principal: Principal?
    public var time: Timestamp
    /// The owner whose data the entry contains; by default, the owner who made the change. A change to the data of two
    /// owners (a transferred bike) is recorded as two events.
    public var owner: OwnerID?
    public var bike: BikeID?
    public var report: ReportID?
    public var station: StationID?
    /// The changed values, by the names of the fields on the wire; they never include a secret.
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

/// The action that was taken.
public enum AuditAction: String, CaseIterable, Hashable, Sendable {
    case ownerCreated = "owner.created"
    case operatorCreated = "operator.created"
    case operatorRevoked = "operator.revoked"
    case ownerInvited = "owner.invited"
    case ownerChanged = "owner.changed"
    case ownerErased = "owner.erased"
    case ownerSuspended = "owner.suspended"
    case ownerResumed = "owner.resumed"
    case ownerVerified = "owner.verified"
    case ownerUnverified = "owner.unverified"
    case quotasChanged = "quotas.changed"
    case tokenCreated = "token.created"
    case tokenRevoked = "token.revoked"
    case recoveryUsed = "recovery.used"
    case recoveryCodesReplaced = "recovery.replaced"
    case sessionCreated = "session.created"
    case sessionConfirmed = "session.confirmed"
    case sessionRevoked = "session.revoked"
    case passkeyAdded = "passkey.added"
    case passkeyRemoved = "passkey.removed"
    case passkeyCopied = "passkey.copied"
    case deskOpened = "desk.opened"
    case deskConfirmed = "desk.confirmed"
    case deskEnded = "desk.ended"
    case deskPasskeyAdded = "desk.passkey.added"
    case deskPasskeyRemoved = "desk.passkey.removed"
    case deskPasskeyCopied = "desk.passkey.copied"
    case shareCreated = "share.created"
    case shareRevoked = "share.revoked"
    case bikeRegistered = "bike.registered"
    case bikeChanged = "bike.changed"
    case bikeErased = "bike.erased"
    case photoAdded = "photo.added"
    case photosOrdered = "photos.ordered"
    case photoRemoved = "photo.removed"
    case photoConsent = "photo.consent"
    case beaconMoved = "beacon.moved"
    case beaconRetired = "beacon.retired"
    case beaconStopped = "beacon.stopped"
    case beaconAllowed = "beacon.allowed"
    case beaconTested = "beacon.tested"
    case beaconProved = "beacon.proved"
    case beaconChecked = "beacon.checked"
    /// A station reported the identity on the missing list that no beacon has.
    case canaryReported = "canary.reported"
    case claimAccepted = "claim.accepted"
    case claimRefused = "claim.refused"
    case memberInvited = "member.invited"
    case memberInvitationCancelled = "member.invitation.cancelled"
    case memberJoined = "member.joined"
    case memberChanged = "member.changed"
    case memberRemoved = "member.removed"
    case memberLeft = "member.left"
    case transferOffered = "transfer.offered"
    case bikeTransferred = "bike.transferred"
    case findTold = "find.told"
    case finderBlocked = "finder.blocked"
    case stickerChanged = "sticker.changed"
    case stickerRevoked = "sticker.revoked"
    case conversationAnswered = "conversation.answered"
    case conversationEnded = "conversation.ended"
    case conversationReported = "conversation.reported"
    case conversationSettled = "conversation.settled"
    case reportOpened = "report.opened"
    case reportChanged = "report.changed"
    case reportClosed = "report.closed"
    case reportExpired = "report.expired"
    case reportSuspended = "report.suspended"
    case searchObjected = "search.objected"
    case objectionAnswered = "objection.answered"
    case safetyRequestClosed = "safety.closed"
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
    case partnerInvited = "partner.invited"
    case partnerJoined = "partner.joined"
    case partnerChanged = "partner.changed"
    case partnerSuspended = "partner.suspended"
    case partnerResumed = "partner.resumed"
    case partnerRemoved = "partner.removed"
    case displayCreated = "display.created"
    case displayRenamed = "display.renamed"
    case displayPaired = "display.paired"
    case displayRevoked = "display.revoked"
    /// Staff answered at a display whether a bike is there.
    case displayAnswered = "display.answered"
    case sightingStored = "sighting.stored"
    /// The observed data of the sighting has changed, so it has a new record.
    case sightingChanged = "sighting.changed"
    case sightingDismissed = "sighting.dismissed"
    case sightingAcknowledged = "sighting.acknowledged"
    /// Entries were emptied by the erasure of an owner or a bike.
    case entriesErased = "entries.erased"
}

extension AuditEvent {
    /// The event as it is shown in the audit and covered by the entry's commitment.
    public var wire: AuditEntry.Event {
        AuditEntry.Event(
            action: action.rawValue, time: time, principal: principal?.text, owner: owner, bike: bike, report: report,
            station: station, details: details
        )
    }
}

extension Principal {
    /// The kind and identifier, such as `owner:019aa4e1-…`.
    public var text: String {
        switch self {
        case .operator(let id): "\(kind.rawValue):\(id)"
        case .owner(let id): "\(kind.rawValue):\(id)"
        case .station(let id): "\(kind.rawValue):\(id)"
        case .partner(let id): "\(kind.rawValue):\(id)"
        }
    }
}
