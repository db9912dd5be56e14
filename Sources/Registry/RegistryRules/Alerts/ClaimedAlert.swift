import Languages
public import RegistryAPI

/// An alert leased to a worker, with everything that its message says.
public struct ClaimedAlert: Hashable, Sendable {
    /// The identifier; the same in all attempts, so that a receiver can detect a repetition.
    public var id: AlertID
    /// The owner who is alerted.
    public var owner: OwnerID
    /// The number of the attempt, counted from 1. The claim is valid only while it is the latest attempt.
    public var attempt: Int
    /// When the alert was queued.
    public var created: Timestamp
    public var channel: Target
    public var content: Content
    /// Whether the alert may wake somebody.
    public var isUrgent: Bool
    /// The language and the time zone of its text.
    public var reader: AlertReader
    /// The targets of its links; set by the dispatcher.
    public var links: AlertLinks
    /// The standing of the receiver, which decides the slots that the delivery takes.
    public var standing = ReceiverStanding.proven

    /// The content of an alert.
    public enum Content: Hashable, Sendable {
        case sighting(SightingContent)
        /// Sightings that were held back, to be announced together.
        case digest(DigestContent)
        case notice(OwnerNotice)
    }

    /// Several sightings of one report, with the context that their owner needs.
    public struct DigestContent: Hashable, Sendable {
        /// The maximum number of sightings in a digest.
        public static let limit = 10

        public var bike: SightingAlert.BikeSummary
        /// The owner's police reference; nil if there is none.
        public var policeReference: String?
        public var report: ReportID
        /// The number of all sightings.
        public var count: Int
        /// The latest sightings, with the latest first.
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

    /// A sighting with the context that its owner needs.
    public struct SightingContent: Hashable, Sendable {
        public var bike: SightingAlert.BikeSummary
        /// The owner's police reference; nil if there is none.
        public var policeReference: String?
        public var sighting: Sighting
        /// The visit that was announced first. An update has the same one, so it replaces the message on a screen.
        public var first: VisitID
        /// Whether the alert updates an earlier one.
        public var isUpdate: Bool
        /// Whether the alert is sent more than an hour after the beacon was last heard, whatever the cause.
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

    /// The channel that an alert is sent to.
    public struct Target: Hashable, Sendable {
        public var id: ChannelID
        public var kind: ChannelKind
        public var address: String
        /// Signs webhooks, and makes the codes in links.
        public var secret: SigningSecret
        /// Whether messages may contain the place.
        public var coordinates: Bool
        public var settings: ChannelSettings

        public init(
            id: ChannelID, kind: ChannelKind, address: String, secret: SigningSecret, coordinates: Bool? = nil,
            settings: ChannelSettings = ChannelSettings()
        ) {
            self.id = id
            self.kind = kind
            self.address = address
            self.secret = secret
            self.coordinates = coordinates ?? kind.tellsCoordinates
            self.settings = settings
        }
    }

    /// The host name of the server that the alert is sent to (``Channel/server(of:)``).
    public var server: String { Channel.server(of: channel.address) }

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
    /// The time after which an alert is no longer useful.
    public static let lifetime = Duration.days(3)

    /// The time when the alert expires.
    public var expires: Timestamp { created.advanced(by: Self.lifetime) }

    /// The key shared by all alerts of one visit, at most 64 bytes: on a screen, the latest replaces the earlier ones.
    public var collapse: String {
        switch content {
        case .sighting(let content): content.first.description
        case .digest, .notice: id.description
        }
    }

    /// The text of the alert, with only what its channel may show.
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

    /// The path of the registry's page that shows what the alert is about.
    public var page: String {
        let bike: BikeID? =
            switch content {
            case .sighting(let content): content.bike.id
            case .digest(let content): content.bike.id
            case .notice(let notice): notice.bike?.id
            }
        guard let bike else { return "/my/account" }
        return "/my/bikes/\(bike)"
    }

    /// The URL where a person acknowledges the alert; nil if the registry has no public URL.
    public var acknowledgementURL: String? {
        guard let publicURL = links.publicURL else { return nil }
        let code = AcknowledgementCode(of: id, secret: channel.secret)
        return "\(publicURL)/acknowledge/\(id)/\(code.text)"
    }
}

/// What becomes of a claimed alert after an attempt. Reasons are shown to the channel's owner.
public enum AlertSettlement: Hashable, Sendable {
    case delivered
    case retry(at: Timestamp, reason: String)
    /// It is not tried again.
    case givenUp(reason: String)
    /// The channel is removed, and its owner gets a message on the others.
    case gone(reason: String)
    /// Delivered by this one of Apple's services, which is stored with the channel.
    case deliveredBy(PushEnvironment)
}
