import RegistryAPI
import RegistryRules

/// Claims due alerts for the receivers of one kind and standing: urgent alerts first, then one from each channel in
/// turn, while there are free slots.
///
/// It walks channels, not alerts: an owner has only a few channels, however many alerts wait.
struct AlertClaims {
    let db: any Transaction
    let kind: ChannelKind
    let standing: ReceiverStanding
    /// The slots for deliveries to these receivers; claimed alerts take some of them.
    var places: DeliveryPlaces

    /// The time when the next alert is due that has a slot; nil if none is waiting.
    static func nextDue(_ db: any Transaction, for places: AllDeliveryPlaces) throws -> Timestamp? {
        var first: Int64?
        for (next, receivers) in try receiversWithAlerts(db, places) where next < first ?? .max {
            guard let due = try receivers.firstWithSlot(from: next) else { continue }
            first = min(first ?? due, due)
        }
        return first.map(Timestamp.init(milliseconds:))
    }

    /// The kinds and standings with free slots that have waiting alerts, each with the time when its first alert is
    /// due, even if there is no slot for this alert.
    private static func receiversWithAlerts(
        _ db: any Transaction, _ places: AllDeliveryPlaces
    ) throws -> [(next: Int64, receivers: AlertClaims)] {
        let all = places.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { kind, places in
            ReceiverStanding.allCases.compactMap { standing in
                places[standing].map { AlertClaims(db: db, kind: kind, standing: standing, places: $0) }
            }
        }
        .filter { !$0.places.isFull }
        var given: Parameters = []
        for (place, claims) in all.enumerated() {
            given.append(place, claims.kind.rawValue, claims.standing.rawValue)
        }
        var waiting: [(next: Int64, receivers: AlertClaims)] = []
        try db.eachColumns(first, given) { columns in
            let place = Int(columns.integer())
            let next = [columns.optionalInteger(), columns.optionalInteger()].compactMap(\.self).min()
            if let next { waiting.append((next, all[place])) }
        }
        return waiting
    }

    /// When the first urgent and the first other alert of a kind and standing are due. Triggers keep both columns: each
    /// row of `alert` that is queued, moved or dropped sets those of its channel (``Schema/alertTriggers``).
    static let first = SetStatement(
        given: [("place", .integer), ("kind", .text), ("standing", .integer)],
        """
        SELECT given.place,
            (SELECT min(next_urgent) FROM channel
                WHERE channel.kind = given.kind AND channel.standing = given.standing AND next_urgent IS NOT NULL),
            (SELECT min(next_calm) FROM channel
                WHERE channel.kind = given.kind AND channel.standing = given.standing AND next_calm IS NOT NULL)
        FROM given
        """)

    /// The next time in milliseconds when an alert to these receivers is due that has a slot; nil if none has.
    ///
    /// - Parameter earliest: the time at which the first alert is due.
    private func firstWithSlot(from earliest: Int64) throws -> Int64? {
        if places.isFree { return earliest }
        var first: Int64?
        var claims = self
        for isUrgent in [true, false] {
            try claims.walk(isUrgent: isUrgent, until: .max) { _, channel in
                first = min(first ?? channel.next, channel.next)
                return false
            }
        }
        return first
    }

    /// Claims the alerts that are due, as many as there are free slots.
    ///
    /// - Parameter lease: when a claimed alert is due again, unless its delivery was settled.
    /// - Returns: also when the next alert is due.
    static func claimForAll(
        _ db: any Transaction, at now: Timestamp, leaseUntil lease: Timestamp, places: AllDeliveryPlaces
    ) throws -> AlertClaim {
        var alerts: [ClaimedAlert] = []
        var places = places
        for (next, receivers) in try receiversWithAlerts(db, places) where next <= now.milliseconds {
            var receivers = receivers
            alerts += try receivers.claimForReceivers(at: now, leaseUntil: lease)
            places[receivers.kind]?[receivers.standing] = receivers.places
        }
        return AlertClaim(alerts: alerts, next: try nextDue(db, for: places))
    }

    /// Claims due alerts for these receivers.
    private mutating func claimForReceivers(at now: Timestamp, leaseUntil lease: Timestamp) throws -> [ClaimedAlert] {
        var claimed: [ClaimedAlert] = []
        // If a lease ends immediately, its alert is due again.
        var seen: Set<Int64> = []
        for isUrgent in [true, false] {
            var isMoreDue = true
            while isMoreDue && !places.isFull {
                isMoreDue = false
                try walk(isUrgent: isUrgent, until: now.milliseconds) { claims, channel in
                    let arguments: Parameters = [channel.key, isUrgent, now.milliseconds]
                    guard let key = try claims.db.integer(Self.due, arguments), seen.insert(key).inserted else {
                        return true
                    }
                    isMoreDue = true
                    try claims.db.run("UPDATE channel SET tried = ? WHERE key = ?", [now.milliseconds, channel.key])
                    guard var alert = try AlertContents(db: claims.db).lease(key, at: now, leaseUntil: lease) else {
                        return true
                    }
                    alert.standing = claims.standing
                    claims.places.take(channel.owner, server: channel.server)
                    claimed.append(alert)
                    return !claims.places.isFull
                }
            }
        }
        return claimed
    }

    /// How many channels are read at a time.
    private static let pageLimit = 64

    /// A channel with a waiting alert.
    private struct WaitingChannel {
        let key: Int64
        let owner: OwnerID
        /// The server of its address, for which slots are limited.
        let server: String
        /// When its first alert is due, in milliseconds.
        let next: Int64
    }

    /// Walks the channels that have waiting alerts and free slots, those with the earliest alert first.
    ///
    /// - Parameters:
    ///   - end: the time in milliseconds until which an alert must be due.
    ///   - visit: returns false to end the walk.
    private mutating func walk(
        isUrgent: Bool, until end: Int64, _ visit: (inout Self, WaitingChannel) throws -> Bool
    ) throws {
        var last = (next: Int64.min, key: Int64.min)
        while true {
            let rows = try db.rows(
                isUrgent ? Self.waitingUrgent : Self.waitingCalm,
                [kind.rawValue, standing.rawValue, end, last.next, last.key]
            )
            for row in rows {
                let channel = WaitingChannel(
                    key: try row["key"], owner: try row.id("owner"), server: Channel.server(of: try row["url"]),
                    next: try row["next"]
                )
                last = (channel.next, channel.key)
                guard places.admits(channel.owner, server: channel.server) else { continue }
                guard try visit(&self, channel) else { return }
            }
            if rows.count < Self.pageLimit { return }
        }
    }

    /// A page of the channels with a waiting alert, in the order of a column: `next_urgent` or `next_calm`.
    ///
    /// CROSS JOIN makes SQLite follow the order of the index, even if there are few owners.
    static func waiting(_ next: String) -> String {
        """
        SELECT channel.key, channel.url, owner.id AS owner, \(next) AS next
        FROM channel CROSS JOIN owner
        WHERE owner.key = channel.owner AND kind = ? AND standing = ? AND \(next) IS NOT NULL AND \(next) <= ?
            AND (\(next), channel.key) > (?, ?)
        ORDER BY \(next), channel.key LIMIT \(pageLimit)
        """
    }

    /// The first due alert of a channel that is urgent, or that is not.
    static let due = """
        SELECT key FROM alert WHERE channel = ? AND urgent = ? AND due IS NOT NULL AND due <= ? ORDER BY due, key LIMIT 1
        """

    private static let waitingUrgent = waiting("next_urgent")
    private static let waitingCalm = waiting("next_calm")
}
