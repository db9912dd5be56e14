/// What an operator must know about the registry, in one response. Numbers that strangers can make large are counted up
/// to a limit.
public struct Overview: Codable, Hashable, Sendable {
    public var time: Timestamp
    public var stations: Stations
    /// The alerts that are neither delivered nor given up, for each kind of channel that has any.
    public var alerts: [AlertQueue]
    /// The deliveries that failed in the last 24 hours, for each kind of channel that has any.
    public var deliveryErrors: [DeliveryErrors]
    public var missingList: MissingList
    public var database: Database
    /// The last complete backup; absent if this registry knows of none.
    public var backup: Backup?
    public var audit: Audit
    public var disputed: Disputed
    public var reviews: Reviews
    /// The number of rotating beacons whose keys this registry cannot read, so that stations cannot hear them; absent if
    /// there are none.
    public var unreadableBeacons: Int?

    public init(
        time: Timestamp, stations: Stations, alerts: [AlertQueue], deliveryErrors: [DeliveryErrors],
        missingList: MissingList, database: Database, backup: Backup?, audit: Audit, disputed: Disputed,
        reviews: Reviews, unreadableBeacons: Int? = nil
    ) {
        self.unreadableBeacons = unreadableBeacons
        self.time = time
        self.stations = stations
        self.alerts = alerts
        self.deliveryErrors = deliveryErrors
        self.missingList = missingList
        self.database = database
        self.backup = backup
        self.audit = audit
        self.disputed = disputed
        self.reviews = reviews
    }

    /// A number of things that are counted up to a limit.
    public struct BoundedCount: Codable, Hashable, Sendable {
        public var count: Int
        /// Whether there are more.
        public var more: Bool

        /// - Parameter counted: the number that was counted, which stops at one more than the limit.
        public init(counted: Int, limit: Int) {
            count = min(counted, limit)
            more = counted > limit
        }
    }

    /// The numbers of stations, by their state.
    public struct Stations: Codable, Hashable, Sendable {
        public var listening: Int
        /// The stations that send heartbeats, but have no working receiver.
        public var deaf: Int
        /// The stations whose last heartbeat is older than ``silentAfterSeconds``.
        public var silent: Int
        /// The stations that never sent a heartbeat.
        public var new: Int
        public var revoked: Int
        /// The stations in use that reported a listed identity that no beacon has, and so must have computed it from
        /// the list; absent if there are none.
        public var lying: Int?
        /// The stations in use whose monitor is older than this registry; absent if there are none.
        public var outdated: Int?
        /// Seconds without a heartbeat after which a station counts as silent.
        public var silentAfterSeconds: Int

        public init(
            listening: Int, deaf: Int, silent: Int, new: Int, revoked: Int, lying: Int? = nil, outdated: Int? = nil,
            silentAfterSeconds: Int
        ) {
            self.lying = lying
            self.outdated = outdated
            self.listening = listening
            self.deaf = deaf
            self.silent = silent
            self.new = new
            self.revoked = revoked
            self.silentAfterSeconds = silentAfterSeconds
        }
    }

    /// The waiting alerts of a kind of channel.
    public struct AlertQueue: Codable, Hashable, Sendable {
        public var kind: ChannelKind
        public var waiting: BoundedCount
        /// When the oldest of them was made.
        public var oldest: Timestamp

        public init(kind: ChannelKind, waiting: BoundedCount, oldest: Timestamp) {
            self.kind = kind
            self.waiting = waiting
            self.oldest = oldest
        }
    }

    /// Failed deliveries to a kind of channel. An attempt that is repeated counts each time it fails.
    public struct DeliveryErrors: Codable, Hashable, Sendable {
        public var kind: ChannelKind
        public var count: Int
        /// The time of the last one.
        public var last: Timestamp
        /// The reason of the last one, in this registry's words.
        public var text: String

        public init(kind: ChannelKind, count: Int, last: Timestamp, text: String) {
            self.kind = kind
            self.count = count
            self.last = last
            self.text = text
        }
    }

    /// The list that stations get.
    public struct MissingList: Codable, Hashable, Sendable {
        public var version: UInt64
        /// The number of bikes, including those whose beacons are under test.
        public var bikes: Int
        /// The number of entries: one for a beacon, and 190 or 696 for a rotating one.
        public var entries: Int
        /// The size of the whole list in the stations' binary form, in bytes.
        public var bytes: Int

        public init(version: UInt64, bikes: Int, entries: Int, bytes: Int) {
            self.version = version
            self.bikes = bikes
            self.entries = entries
            self.bytes = bytes
        }
    }

    /// The sizes of the database and of its disk.
    public struct Database: Codable, Hashable, Sendable {
        /// The size of the database without its log, in bytes; so are the sizes below.
        public var bytes: Int64
        /// The size of the log of changes that are not merged into it yet; nil if the registry cannot know it.
        public var logBytes: Int64?
        /// The free space of its disk; nil if the registry cannot know it, because the disk belongs to another server.
        public var freeBytes: Int64?

        public init(bytes: Int64, logBytes: Int64? = nil, freeBytes: Int64? = nil) {
            self.bytes = bytes
            self.logBytes = logBytes
            self.freeBytes = freeBytes
        }
    }

    /// A backup.
    public struct Backup: Codable, Hashable, Sendable {
        /// The time of the data in it.
        public var taken: Timestamp

        public init(taken: Timestamp) { self.taken = taken }
    }

    /// The state of the audit.
    public struct Audit: Codable, Hashable, Sendable {
        /// The number of its entries.
        public var length: Int64
        /// The time of the last signed checkpoint; absent if there is none.
        public var checkpoint: Timestamp?

        public init(length: Int64, checkpoint: Timestamp?) {
            self.length = length
            self.checkpoint = checkpoint
        }
    }

    /// The sightings of the last 7 days that some evidence contradicts, as numbers only.
    public struct Disputed: Codable, Hashable, Sendable {
        public var since: Timestamp
        /// The number for each reason that has any. A sighting can have several reasons.
        public var reasons: [Reason]
        /// Whether there are more disputed sightings than were counted; then only the latest were.
        public var more: Bool

        public init(since: Timestamp, reasons: [Reason], more: Bool) {
            self.since = since
            self.reasons = reasons
            self.more = more
        }

        /// The number of disputed sightings with a reason.
        public struct Reason: Codable, Hashable, Sendable {
            public var reason: SightingReason
            public var sightings: Int

            public init(reason: SightingReason, sightings: Int) {
                self.reason = reason
                self.sightings = sightings
            }
        }
    }

    /// What waits for an operator's decision.
    public struct Reviews: Codable, Hashable, Sendable {
        /// Claimed beacons.
        public var claims: BoundedCount
        /// Owners with at least ``manyUnconfirmed`` unconfirmed reports who are not suspended.
        public var owners: BoundedCount
        /// Open reports with an unconfirmed police reference.
        public var references: BoundedCount
        /// Reported conversations.
        public var messages: BoundedCount
        /// Open requests of people who feel followed.
        public var safety: BoundedCount
        /// Objections to stopped searches that wait for an answer.
        public var objections: BoundedCount
        /// Searches with signs of misuse (``SearchToCheck``).
        public var searches: BoundedCount

        /// The number of unconfirmed reports from which an owner is counted.
        public static let manyUnconfirmed = 5

        public init(
            claims: BoundedCount, owners: BoundedCount, references: BoundedCount, messages: BoundedCount,
            safety: BoundedCount, objections: BoundedCount, searches: BoundedCount
        ) {
            self.claims = claims
            self.owners = owners
            self.references = references
            self.messages = messages
            self.safety = safety
            self.objections = objections
            self.searches = searches
        }
    }
}

/// An open report with a police reference that is not confirmed yet.
public struct ReferenceReview: Codable, Hashable, Sendable {
    public var owner: OwnerID
    public var report: ReportReview

    public init(owner: OwnerID, report: ReportReview) {
        self.owner = owner
        self.report = report
    }
}
