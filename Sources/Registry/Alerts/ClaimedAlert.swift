public import RegistryAPI

/// An alert that a worker holds for the time of a lease, with all that its message says.
public struct ClaimedAlert: Hashable, Sendable {
    /// Stays the same over all attempts, so that a receiver can tell a repetition.
    public var id: AlertID
    /// Whom it tells.
    public var owner: OwnerID
    /// Counts from 1. The claim holds only while it is the latest attempt.
    public var attempt: Int
    public var created: Timestamp
    public var channel: Target
    public var content: Content
    /// Whether it may wake somebody.
    public var isUrgent: Bool
    public var reader: AlertReader
    public var links: AlertLinks
    /// Which places its delivery takes.
    public var standing = ReceiverStanding.proven

    /// What an alert tells.
    public enum Content: Hashable, Sendable {
        case sighting(SightingContent)
        /// Sightings that were held back to be told at once.
        case digest(DigestContent)
        case notice(OwnerNotice)
    }

    /// Several sightings of one report with what their owner needs beside them.
    public struct DigestContent: Hashable, Sendable {
        /// How many sightings a digest holds at most.
        public static let limit = 10

        public var bike: SightingAlert.BikeSummary
        public var policeReference: String?
        public var report: ReportID
        /// How many sightings there are.
        public var count: Int
        /// The latest of them, the latest first.
        public var sightings: [Sighting]

        public init(
            bike: SightingAlert.BikeSummary, policeReference: String?, report: ReportID, count: Int,
            sightings: [Sighting]
        ) {
            self.bike = bike
            self.policeReference = policeReference
            self.report = report
            self.count = count
            self.sightings = sightings
        }
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
        /// Whether it comes over an hour after the beacon was last heard, whoever kept it.
        public var isLate: Bool

        public init(
            bike: SightingAlert.BikeSummary, policeReference: String?, sighting: Sighting, first: VisitID? = nil,
            isUpdate: Bool = false, isLate: Bool? = nil
        ) {
            self.bike = bike
            self.policeReference = policeReference
            self.sighting = sighting
            self.first = first ?? sighting.id
            self.isUpdate = isUpdate
            self.isLate = isLate ?? sighting.late
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

    /// The server that it goes to.
    public var server: String { Channel.server(of: channel.url) }

    public init(
        id: AlertID, owner: OwnerID, attempt: Int, created: Timestamp, channel: Target, content: Content,
        isUrgent: Bool = true,
        reader: AlertReader = AlertReader(), links: AlertLinks = AlertLinks()
    ) {
        self.id = id
        self.owner = owner
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
        case .digest, .notice: id.description
        }
    }

    /// What it says, as its channel may tell it.
    public var text: AlertText {
        let texts = AlertTexts(for: reader)
        var text: AlertText
        switch content {
        case .sighting(let content): text = texts.text(of: content, tellsPlace: channel.coordinates, links: links)
        case .digest(let content): text = texts.text(of: content)
        case .notice(let notice): return texts.text(of: notice)
        }
        if let url = acknowledgementURL {
            text.links.append(AlertText.Link(label: texts.words.acknowledgeLink, url: url))
        }
        return text
    }

    /// Where a person says that they have read it; nil where the registry has no address for people.
    public var acknowledgementURL: String? {
        links.publicURL.map { "\($0)/acknowledge/\(id)/\(AcknowledgementCode(of: id, secret: channel.secret).text)" }
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
