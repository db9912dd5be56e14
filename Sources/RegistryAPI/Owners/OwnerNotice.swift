/// Something other than a sighting that an owner must learn on every channel: most of all what a thief with the owner's
/// laptop would do.
public struct OwnerNotice: Codable, Hashable, Sendable {
    public var event: Event
    /// The bike that it is about, where it is about one.
    public var bike: SightingAlert.BikeSummary?
    /// What the event names: a token's name, a finder's words, a number to call.
    public var subject: String?
    /// The day that it is about.
    public var date: CalendarDate?
    /// How many more of the kind came in the last hours and are told by this one; absent where it tells of one.
    public var count: Int?

    /// The name is also the `type` of a webhook's message.
    public enum Event: String, Codable, CaseIterable, Hashable, Sendable {
        case tokenCreated = "token.created"
        case tokenRevoked = "token.revoked"
        case recoveryUsed = "recovery.used"
        case recoveryReplaced = "recovery.replaced"
        /// How and when alerts come, or whether venues learn what a bike looks like.
        case ownerChanged = "owner.changed"
        case channelRemoved = "channel.removed"
        case channelChanged = "channel.changed"
        /// The peer says that the address will never work again.
        case channelGone = "channel.gone"
        /// Sent to one channel alone, at its owner's wish.
        case channelTest = "channel.test"
        /// Sent to one e-mail address alone: whether it is its owner's.
        case channelVerification = "channel.verification"
        case reportClosed = "report.closed"
        /// The police reference or how long sightings are kept.
        case reportChanged = "report.changed"
        /// What waited to be told of them is not told; told once an hour at most.
        case sightingDismissed = "sighting.dismissed"
        case reportExpiring = "report.expiring"
        case reportExpired = "report.expired"
        /// No police reference came in time: the report yields no sightings any more.
        case reportSuspended = "report.suspended"
        /// Nobody confirmed the police reference in time: the report yields no sightings any more.
        case reportUnconfirmed = "report.unconfirmed"
        /// Without a police reference the search ends soon.
        case referenceNeeded = "reference.needed"
        /// Unless an operator confirms the police reference, the search ends soon.
        case confirmationNeeded = "confirmation.needed"
        case referenceConfirmed = "reference.confirmed"
        case referenceWithdrawn = "reference.withdrawn"
        /// An operator has taken the beacon off the missing list.
        case searchStopped = "search.stopped"
        /// An operator lets the beacon be searched for again.
        case searchAllowed = "search.allowed"
        /// A station heard the beacon in a test: the bike can be reported missing.
        case beaconProved = "beacon.proved"
        /// An operator has accepted the identity that the owner gave.
        case claimAccepted = "claim.accepted"
        case claimRefused = "claim.refused"
        case ownerSuspended = "owner.suspended"
        case ownerResumed = "owner.resumed"
        /// The report is open, and its bike has not been heard for long.
        case reportQuiet = "report.quiet"
        case bikeTransferred = "bike.transferred"
        case bikeErased = "bike.erased"
        /// What a missing bike looks like, by its owner.
        case bikeChanged = "bike.changed"
        /// It goes by another beacon now.
        case beaconChanged = "beacon.changed"
        case beaconFound = "beacon.found"
        case inspectionDue = "inspection.due"
        case insuranceEnding = "insurance.ending"
        case taxDue = "tax.due"
        case breakdownCoverEnding = "breakdownCover.ending"
        /// The beacon's battery is as old as such batteries get.
        case batteryAging = "battery.aging"
    }

    public init(
        _ event: Event, bike: SightingAlert.BikeSummary? = nil, subject: String? = nil, date: CalendarDate? = nil,
        count: Int? = nil
    ) {
        self.event = event
        self.bike = bike
        self.subject = subject
        self.date = date
        self.count = count
    }
}

/// The body of a webhook that tells a notice, in the envelope of the Standard Webhooks specification.
public struct NoticeAlert: Codable, Hashable, Sendable {
    /// The event's name.
    public var type: String
    public var timestamp: Timestamp
    public var data: Content

    public struct Content: Codable, Hashable, Sendable {
        public var bike: SightingAlert.BikeSummary?
        public var subject: String?
        public var date: CalendarDate?
        public var count: Int?
        /// One sentence for people: what has happened.
        public var message: String
        /// What to do, and what not.
        public var advice: String

        public init(
            bike: SightingAlert.BikeSummary?, subject: String?, date: CalendarDate?, count: Int? = nil, message: String,
            advice: String
        ) {
            self.bike = bike
            self.subject = subject
            self.date = date
            self.count = count
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
