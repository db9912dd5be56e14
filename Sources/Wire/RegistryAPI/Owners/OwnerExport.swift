/// Response to `GET /v1/owner/export`: everything that the registry stores about an owner.
///
/// Secrets are left out: they are stored as hashes, or sign messages that only the owner receives.
public struct OwnerExport: Codable, Hashable, Sendable {
    public var exported: Timestamp
    public var owner: Owner
    public var tokens: [OwnerToken]
    public var sessions: [Session]
    public var passkeys: [Passkey]
    public var channels: [Channel]
    public var bikes: [ExportedBike]
    /// The bikes of others of which the owner is a member.
    public var memberships: [Membership]
    /// Reports and sightings of bikes that were transferred to another owner.
    public var formerReports: [ExportedReport]
    /// The audit's events about the owner, oldest first.
    public var activity: [AuditEntry.Event]

    /// Everything that the registry stores about a bike.
    public struct ExportedBike: Codable, Hashable, Sendable {
        public var bike: Bike
        public var history: [BikeEvent]
        public var reports: [ExportedReport]
        /// The photos; `GET /v1/bikes/{bike}/photos/{photo}` returns their pictures.
        public var photos: [Photo]
        public var members: [Member]
        public var invitations: [MemberInvitation]
        /// Whether the bike has a sticker, and since when; the code itself is not stored.
        public var sticker: Sticker?
        /// The conversations with finders, oldest first.
        public var conversations: [Conversation]
        /// Why an operator has stopped searches for the bike, and the objection.
        public var stop: SearchStop?

        public init(
            bike: Bike, history: [BikeEvent], reports: [ExportedReport], photos: [Photo], members: [Member] = [],
            invitations: [MemberInvitation] = [], sticker: Sticker? = nil, conversations: [Conversation] = [],
            stop: SearchStop? = nil
        ) {
            self.bike = bike
            self.history = history
            self.reports = reports
            self.photos = photos
            self.members = members
            self.invitations = invitations
            self.sticker = sticker
            self.conversations = conversations
            self.stop = stop
        }
    }

    /// A report with its sightings.
    public struct ExportedReport: Codable, Hashable, Sendable {
        public var report: MissingReport
        public var sightings: [Sighting]
        /// The links to the search that work, or have ended lately.
        public var shares: [Share]

        public init(report: MissingReport, sightings: [Sighting], shares: [Share] = []) {
            self.report = report
            self.sightings = sightings
            self.shares = shares
        }
    }

    public init(
        exported: Timestamp, owner: Owner, tokens: [OwnerToken], sessions: [Session] = [], passkeys: [Passkey] = [],
        channels: [Channel], bikes: [ExportedBike], memberships: [Membership] = [],
        formerReports: [ExportedReport], activity: [AuditEntry.Event]
    ) {
        self.exported = exported
        self.owner = owner
        self.tokens = tokens
        self.sessions = sessions
        self.passkeys = passkeys
        self.channels = channels
        self.bikes = bikes
        self.memberships = memberships
        self.formerReports = formerReports
        self.activity = activity
    }
}
