package import RegistryAPI
package import RegistryRules

/// The results of deliveries, as alerts and channels keep them.
package struct AlertSettlements {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Stores the result of a delivery, unless its claim was lost: then another attempt has the alert.
    ///
    /// - Parameter attempt: the number of the claimed attempt.
    package func settle(
        _ id: AlertID, attempt: Int, as settlement: AlertSettlement, at time: Timestamp, using entropy: Entropy
    ) throws {
        let (due, delivered, reason): (Timestamp?, Timestamp?, String?) =
            switch settlement {
            case .delivered, .deliveredBy: (nil, time, nil)
            case .retry(let next, let reason): (next, nil, reason)
            case .givenUp(let reason), .gone(let reason): (nil, nil, reason)
            }
        guard let row = try db.row(Self.claimed, [id.blob, attempt]) else { return }
        let key: Int64 = try row["alert"]
        try db.run(
            "UPDATE alert SET due = ?, delivered = ?, last_error = ? WHERE key = ?",
            [due?.milliseconds, delivered?.milliseconds, reason, key])
        // The sightings of a delivered digest are delivered, too.
        if delivered != nil, try row["is_digest"] {
            try db.run("UPDATE alert SET delivered = ? WHERE digest = ?", [time.milliseconds, key])
        }
        try DeliveryErrorCounts(db).count(settlement, kind: row.choice("kind"), at: time)
        try noteOutcome(row, answered: delivered != nil, error: reason, at: time)
        switch settlement {
        case .gone: try Channels(db).removeGone(of: id, at: time, using: entropy)
        case .deliveredBy(let environment): try Channels(db).remember(environment, ofChannelOf: id)
        case .delivered, .retry, .givenUp: break
        }
    }

    /// An alert whose claim was not lost, and its channel.
    static let claimed = """
        SELECT alert.key AS alert, alert.claimed, alert.report IS NOT NULL AS is_digest, channel.key AS channel,
            channel.kind, channel.standing, channel.slow, channel.last_error
        FROM alert JOIN channel ON channel.key = alert.channel
        WHERE alert.id = ? AND alert.attempts = ? AND alert.due IS NOT NULL
        """

    /// Records on an alert’s channel the result of a delivery, and what it means for the receiver’s standing.
    ///
    /// - Parameters:
    ///   - row: a row of ``claimed``.
    ///   - answered: whether the receiver accepted the message.
    ///   - error: why it was not delivered; nil if it was.
    private func noteOutcome(_ row: StoredRow, answered: Bool, error: String?, at time: Timestamp) throws {
        let (channel, lastError): (Int64, String?) = try (row["channel"], row["last_error"])
        let kind: ChannelKind = try row.choice("kind")
        let before = ReceiverStanding(rawValue: Int(clamping: try row["standing"] as Int64)) ?? .failing
        var (standing, slow) = (before, try row.optionalTimestamp("slow"))
        if kind.leadsToOwnersServer {
            let began = try row.optionalTimestamp("claimed") ?? time
            if began.duration(to: time) > ReceiverStanding.patience { slow = time }
            standing = before.after(answered: answered, lastSlow: slow, at: time)
        }
        // Most deliveries change nothing about their channel.
        guard try error != lastError || standing != before || slow != row.optionalTimestamp("slow") else { return }
        try db.run(
            "UPDATE channel SET last_error = ?, standing = ?, slow = ? WHERE key = ?",
            [error, standing.rawValue, slow?.milliseconds, channel])
    }
}
