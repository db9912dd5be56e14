package import Registry
package import RegistryAPI

/// Claimed alerts and the results of their deliveries.
package struct AlertSettlements {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    package func claim(
        at now: Timestamp, leaseUntil lease: Timestamp, places: AllDeliveryPlaces
    ) throws -> [ClaimedAlert] {
        var claimed: [ClaimedAlert] = []
        for (kind, places) in places.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for standing in ReceiverStanding.allCases {
                guard let places = places[standing] else { continue }
                var claims = AlertClaims(db: db, kind: kind, standing: standing, places: places)
                claimed += try claims.claim(at: now, leaseUntil: lease)
            }
        }
        return claimed
    }

    package func settle(
        _ id: AlertID, attempt: Int, as settlement: AlertSettlement, at time: Timestamp, using entropy: Entropy
    ) throws {
        let (due, delivered, reason): (Timestamp?, Timestamp?, String?) =
            switch settlement {
            case .delivered, .deliveredBy: (nil, time, nil)
            case .retry(let next, let reason): (next, nil, reason)
            case .givenUp(let reason), .gone(let reason): (nil, nil, reason)
            }
        try db.run(
            """
            UPDATE alert SET due = ?, delivered = ?, last_error = ?
            WHERE id = ? AND attempts = ? AND due IS NOT NULL
            """,
            [due?.milliseconds, delivered?.milliseconds, reason, id.blob, attempt]
        )
        guard db.changesCount == 1 else { return }
        if delivered != nil { try AlertContents(db).settleDigest(id, at: time) }
        try DeliveryErrorCounts(db).count(settlement, of: id, at: time)
        try noteOutcome(of: id, answered: delivered != nil, error: reason, at: time)
        switch settlement {
        case .gone: try Channels(db).removeGone(of: id, at: time, using: entropy)
        case .deliveredBy(let environment): try Channels(db).remember(environment, ofChannelOf: id)
        case .delivered, .retry, .givenUp: break
        }
    }

    package func nextDue(for places: AllDeliveryPlaces) throws -> Timestamp? {
        let due = try places.flatMap { kind, places in
            try places.compactMap { standing, places in
                var claims = AlertClaims(db: db, kind: kind, standing: standing, places: places)
                return try claims.nextDue()
            }
        }
        return due.min().map(Timestamp.init(milliseconds:))
    }

    /// Records on an alert's channel the result of a delivery, and what it means for the receiver's standing.
    private func noteOutcome(of alert: AlertID, answered: Bool, error: String?, at time: Timestamp) throws {
        let sql = """
            SELECT channel.key, channel.kind, channel.standing, channel.slow, alert.claimed
            FROM alert JOIN channel ON channel.key = alert.channel WHERE alert.id = ?
            """
        guard let row = try db.row(sql, [alert.blob]) else { return }
        let kind: ChannelKind = try row.choice("kind")
        guard kind.leadsToOwnersServer else {
            return try db.run("UPDATE channel SET last_error = ? WHERE key = ?", [error, try row["key"] as Int64])
        }
        let began = try row.optionalTimestamp("claimed") ?? time
        let isSlow = began.duration(to: time) > ReceiverStanding.patience
        let slow = isSlow ? time : try row.optionalTimestamp("slow")
        let before = ReceiverStanding(rawValue: Int(clamping: try row["standing"] as Int64)) ?? .failing
        let standing = before.after(answered: answered, lastSlow: slow, at: time)
        try db.run(
            "UPDATE channel SET last_error = ?, standing = ?, slow = ? WHERE key = ?",
            [error, standing.rawValue, slow?.milliseconds, try row["key"] as Int64]
        )
    }
}
