/// A notice, other than of a sighting, that goes to all of an owner's channels: above all about acts that a thief with
/// the owner's laptop would perform.
public struct OwnerNotice: Codable, Hashable, Sendable {
    public var event: Event
    /// The bike that the notice is about, if any.
    public var bike: SightingAlert.BikeSummary?
    /// The subject of the event: a token's name, a finder's message, a phone number.
    public var subject: String?
    /// The date that the notice is about.
    public var date: CalendarDate?
    /// The number of further notices of this kind in the last hours that this one stands for; absent if there are none.
    public var count: Int?
    /// The label of the member who did it; absent if the owner or the registry did.
    public var member: String?
    /// Whether the notice is sent to a member of the bike; absent if it is sent to the bike's owner.
    public var isShared: Bool?

    /// The kind of notice. The name is also the `type` of a webhook's message.
    public enum Event: String, Codable, CaseIterable, Hashable, Sendable {
        case tokenCreated = "token.created"
        case tokenRevoked = "token.revoked"
        case recoveryUsed = "recovery.used"
        case recoveryReplaced = "recovery.replaced"
        case sessionCreated = "session.created"
        case sessionRevoked = "session.revoked"
        case passkeyAdded = "passkey.added"
        case passkeyRemoved = "passkey.removed"
        /// A signature of the passkey was counted twice: a copy of the passkey may exist.
        case passkeyCopied = "passkey.copied"
        /// A link was made that lets anyone who has it follow a search.
        case shareCreated = "share.created"
        case shareRevoked = "share.revoked"
        /// Settings of alerts were changed, or the choice whether venues get the appearance of bikes.
        case ownerChanged = "owner.changed"
        case channelRemoved = "channel.removed"
        case channelChanged = "channel.changed"
        /// The receiver reports that the address will never work again.
        case channelGone = "channel.gone"
        /// Sent to a single channel, at its owner's request.
        case channelTest = "channel.test"
        /// Sent to a single e-mail address, to verify that it belongs to the owner of the channel.
        case channelVerification = "channel.verification"
        /// Sent if somebody other than the recipient has opened the report.
        case reportOpened = "report.opened"
        case reportClosed = "report.closed"
        /// The police reference of a report was changed, or the time for which its sightings are kept.
        case reportChanged = "report.changed"
        /// The waiting alerts of the sighting were cancelled; sent at most once an hour.
        case sightingDismissed = "sighting.dismissed"
        case reportExpiring = "report.expiring"
        case reportExpired = "report.expired"
        /// No police reference was given in time: the report gets no more sightings.
        case reportSuspended = "report.suspended"
        /// The police reference was not confirmed in time: the report gets no more sightings.
        case reportUnconfirmed = "report.unconfirmed"
        /// Without a police reference the search ends soon.
        case referenceNeeded = "reference.needed"
        /// Unless an operator confirms the police reference, the search ends soon.
        case confirmationNeeded = "confirmation.needed"
        case referenceConfirmed = "reference.confirmed"
        case referenceWithdrawn = "reference.withdrawn"
        /// An operator has taken the beacon off the missing list.
        case searchStopped = "search.stopped"
        /// An operator allows searches for the beacon again.
        case searchAllowed = "search.allowed"
        /// An operator has answered the owner's objection to a stop.
        case objectionAnswered = "objection.answered"
        /// A station heard the beacon in a test: the bike can be reported missing.
        case beaconProved = "beacon.proved"
        /// An operator has accepted the identity that the owner gave.
        case claimAccepted = "claim.accepted"
        case claimRefused = "claim.refused"
        case ownerSuspended = "owner.suspended"
        case ownerResumed = "owner.resumed"
        /// An operator has verified who the owner is, or has withdrawn that.
        case ownerVerified = "owner.verified"
        case ownerUnverified = "owner.unverified"
        /// The report is open, but there has been no sighting of its bike for a long time.
        case reportQuiet = "report.quiet"
        case memberInvited = "member.invited"
        case memberJoined = "member.joined"
        /// The role of a member was changed.
        case memberChanged = "member.changed"
        /// A member was removed, or has left.
        case memberRemoved = "member.removed"
        /// Sent to the former member of a bike.
        case membershipEnded = "membership.ended"
        case bikeTransferred = "bike.transferred"
        case bikeErased = "bike.erased"
        /// The owner's description of a missing bike changed.
        case bikeChanged = "bike.changed"
        /// The bike has another beacon now.
        case beaconChanged = "beacon.changed"
        /// A check has found that a rotating beacon's clock differs from what was known.
        case beaconClockMoved = "beacon.clockMoved"
        case beaconFound = "beacon.found"
        /// A finder has written to the owner; the notice does not contain the message.
        case messageReceived = "message.received"
        /// The code on the bike's sticker was replaced or revoked.
        case stickerChanged = "sticker.changed"
        /// A conversation about a missing bike was ended.
        case conversationEnded = "conversation.ended"
        case inspectionDue = "inspection.due"
        case insuranceEnding = "insurance.ending"
        case taxDue = "tax.due"
        case breakdownCoverEnding = "breakdownCover.ending"
        /// The beacon's battery has reached the typical life of its type.
        case batteryAging = "battery.aging"
    }

    public init(
        _ event: Event, bike: SightingAlert.BikeSummary? = nil, subject: String? = nil, date: CalendarDate? = nil,
        count: Int? = nil, member: String? = nil
    ) {
        self.event = event
        self.bike = bike
        self.subject = subject
        self.date = date
        self.count = count
        self.member = member
    }

    /// The same notice for a member of the bike, who does not learn the labels of others.
    public var shared: OwnerNotice {
        var notice = self
        notice.isShared = true
        notice.member = nil
        return notice
    }
}

/// The body of a webhook for a notice, in the envelope of the Standard Webhooks specification.
public struct NoticeAlert: Codable, Hashable, Sendable {
    /// The event's name.
    public var type: String
    public var timestamp: Timestamp
    public var data: Content

    /// The event, and what it is about.
    public struct Content: Codable, Hashable, Sendable {
        public var bike: SightingAlert.BikeSummary?
        public var subject: String?
        public var date: CalendarDate?
        public var count: Int?
        /// The label of the member who did it; absent if the owner or the registry did.
        public var member: String?
        /// The event in one sentence for people.
        public var message: String
        /// Advice on what to do, and what not to do.
        public var advice: String

        public init(
            bike: SightingAlert.BikeSummary?, subject: String?, date: CalendarDate?, count: Int? = nil,
            member: String? = nil, message: String, advice: String
        ) {
            self.bike = bike
            self.subject = subject
            self.date = date
            self.count = count
            self.member = member
            self.message = message
            self.advice = advice
        }
    }

    public init(_ event: OwnerNotice.Event, timestamp: Timestamp, data: Content) {
        type = event.rawValue
        self.timestamp = timestamp
        self.data = data
    }
}
