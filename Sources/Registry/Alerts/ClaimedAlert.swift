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
    /// Whether it may wake somebody.
    public var isUrgent: Bool
    public var reader: AlertReader
    public var links: AlertLinks

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
        /// The visit that the owner was told of first: what replaces that message on a screen has the same one.
        public var first: VisitID
        /// Whether it says something new of what was told before.
        public var isUpdate: Bool

        public init(
            bike: SightingAlert.BikeSummary, policeReference: String?, sighting: Sighting, first: VisitID? = nil,
            isUpdate: Bool = false
        ) {
            self.bike = bike
            self.policeReference = policeReference
            self.sighting = sighting
            self.first = first ?? sighting.id
            self.isUpdate = isUpdate
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

    public init(
        id: AlertID, attempt: Int, created: Timestamp, channel: Target, content: Content, isUrgent: Bool = true,
        reader: AlertReader = AlertReader(), links: AlertLinks = AlertLinks()
    ) {
        self.id = id
        self.attempt = attempt
        self.created = created
        self.channel = channel
        self.content = content
        self.isUrgent = isUrgent
        self.reader = reader
        self.links = links
    }
}

extension ClaimedAlert {
    /// How long an alert is worth telling.
    public static let lifetime = Duration.seconds(3 * 86_400)

    /// After this nobody needs it any more.
    public var expires: Timestamp { created.advanced(by: Self.lifetime) }

    /// The same for all alerts of one visit, at most 64 bytes: on a screen the latest replaces those before.
    public var collapse: String {
        switch content {
        case .sighting(let content): content.first.description
        case .notice: id.description
        }
    }

    /// What it says, as its channel may tell it.
    public var text: AlertText {
        let texts = AlertTexts(for: reader)
        return switch content {
        case .sighting(let content):
            texts.text(of: content, tellsPlace: channel.coordinates, links: links)
        case .notice(let notice): texts.text(of: notice)
        }
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
