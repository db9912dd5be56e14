public import RegistryAPI

/// An alert that a worker holds for the time of a lease, with all that its message says.
public struct ClaimedAlert: Hashable, Sendable {
    /// Stays the same over all attempts, so that a receiver can tell a repetition.
    public var id: AlertID
    /// Counts from 1. The claim holds only while it is the latest attempt.
    public var attempt: Int
    public var created: Timestamp
    public var channel: Target
    public var content: Content

    /// What an alert tells.
    public enum Content: Hashable, Sendable {
        case sighting(SightingContent)
        case notice(OwnerNotice)
    }

    /// A sighting with what its owner needs beside it.
    public struct SightingContent: Hashable, Sendable {
        public var bike: SightingAlert.BikeSummary
        public var policeReference: String?
        public var sighting: Sighting

        public init(bike: SightingAlert.BikeSummary, policeReference: String?, sighting: Sighting) {
            self.bike = bike
            self.policeReference = policeReference
            self.sighting = sighting
        }
    }

    /// Where an alert goes.
    public struct Target: Hashable, Sendable {
        public var id: ChannelID
        public var kind: ChannelKind
        public var url: String
        public var secret: SigningSecret
        /// Whether messages may tell the place.
        public var coordinates: Bool
        public var settings: ChannelSettings

        public init(
            id: ChannelID, kind: ChannelKind, url: String, secret: SigningSecret, coordinates: Bool? = nil,
            settings: ChannelSettings = ChannelSettings()
        ) {
            self.id = id
            self.kind = kind
            self.url = url
            self.secret = secret
            self.coordinates = coordinates ?? kind.tellsCoordinates
            self.settings = settings
        }
    }

    public init(id: AlertID, attempt: Int, created: Timestamp, channel: Target, content: Content) {
        self.id = id
        self.attempt = attempt
        self.created = created
        self.channel = channel
        self.content = content
    }
}

/// How a claimed alert goes on.
public enum AlertSettlement: Hashable, Sendable {
    case delivered
    case retry(at: Timestamp, reason: String)
    case givenUp(reason: String)
    /// The channel is removed, and its owner is told on the others.
    case gone(reason: String)
    /// Delivered, and the channel remembers which of Apple's services knows the device.
    case deliveredBy(PushEnvironment)
}
