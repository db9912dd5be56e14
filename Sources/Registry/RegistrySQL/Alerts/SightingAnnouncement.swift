import RegistryAPI
import RegistryRules

/// A verified channel of a bike's owner or of a member, with that person's choices.
struct AlertChannel {
    let key: Int64
    let kind: String
    /// The minutes that a sighting waits for an acknowledgement before it is sent here.
    let after: Int?
    let zone: String?
    let quietHours: QuietHours?

    /// The channels for alerts about these bikes, by the keys of the bikes.
    static func all(_ db: any Transaction, ofBikes bikes: Set<Int64>) throws -> [Int64: [AlertChannel]] {
        var channels: [Int64: [AlertChannel]] = [:]
        try db.eachColumns(query, Parameters(bikes)) { columns in
            let bike = columns.integer()
            let channel = AlertChannel(
                key: columns.integer(), kind: columns.text(), after: columns.optionalInteger().map(Int.init),
                zone: columns.optionalText(),
                quietHours: QuietHours(from: columns.optionalInteger(), to: columns.optionalInteger()))
            channels[bike, default: []].append(channel)
        }
        return channels
    }

    static let query = SetStatement(
        given: [("bike", .integer)],
        """
        SELECT given.bike, \(columns)
        FROM given CROSS JOIN bike CROSS JOIN owner CROSS JOIN channel
        WHERE bike.key = given.bike AND owner.key = bike.owner AND channel.owner = owner.key
            AND removed IS NULL AND verified IS NOT NULL
        UNION ALL
        SELECT given.bike, \(columns)
        FROM given CROSS JOIN bike_member CROSS JOIN owner CROSS JOIN channel
        WHERE bike_member.bike = given.bike AND owner.key = bike_member.owner AND channel.owner = owner.key
            AND removed IS NULL AND verified IS NOT NULL
        """)

    private static let columns = "channel.key, channel.kind, after, zone, quiet_from, quiet_to"
}

/// How a new sighting is announced: a pure function of the sighting, the channels and the report's earlier alerts.
///
/// It decides which alerts of its own a sighting gets, and when. If it joins an earlier alert, ``SightingNews`` decides
/// whether that one is updated; and a claim can still drop an alert (``AlertContents``).
struct SightingAnnouncement {
    /// The thread of an earlier alert that the sighting joins; nil if it joins none.
    private(set) var thread: Int64?
    /// For a sighting that the report remembers as announced: whether no announced sighting was heard after it.
    private(set) var isHeardLast: Bool?
    /// The station's alerts with this one, if it counts among them.
    private(set) var share: AlertRules.StationShare?
    /// Whether an alert that is sent alone is urgent.
    private(set) var isUrgent = false
    /// When and how each channel gets the sighting: as an alert of its own, or as an entry in a digest. Empty if it
    /// joins an earlier alert. An alert of its own is sent immediately, or when the channel's wait for an
    /// acknowledgement is over. If that is in quiet time, the sighting goes into a digest at its end
    /// (``AlertRules/delivery(of:at:wait:quiet:)``).
    private(set) var deliveries: [(channel: AlertChannel, delivery: AlertRules.Delivery)] = []

    /// - Parameter channels: those for alerts about the bike.
    init(of candidate: AlertCandidate, on channels: [AlertChannel], after history: AlertRules.History) {
        // The owner already knows about it: a very long stay is split into visits, and a visit under the next identity of a
        // rotating beacon continues an earlier one.
        thread = candidate.part.surroundings.thread
        guard thread == nil, !channels.isEmpty else { return }
        let (evidence, time) = (candidate.evidence, candidate.reported.time)
        let decision = AlertRules.decision(
            at: evidence.place, firstSeen: evidence.firstSeen, lastSeen: evidence.lastSeen, received: time,
            isDoubtful: AlertRules.isDoubtful(candidate.reasons), after: history
        )
        isHeardLast = history.isHeardLast(evidence.firstSeen)
        switch decision {
        case .joins(let earlier): thread = earlier
        case .digest: break
        case .alert(let isUrgent):
            self.isUrgent = isUrgent
            var counted = AlertRules.StationShare(since: time, count: 0)
            if let open = candidate.isLate ? history.late : history.station, open.isOpen(at: time) { counted = open }
            counted.count += 1
            share = counted
        }
        for channel in channels {
            let delivery = AlertRules.delivery(of: decision, at: time, wait: channel.after) { moment in
                channel.quietHours?.end(at: moment, in: LocalZone(channel.zone))
            }
            if let delivery { deliveries.append((channel, delivery)) }
        }
    }
}
