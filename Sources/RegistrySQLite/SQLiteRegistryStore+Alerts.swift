import Foundation
import GRDB
public import Registry
public import RegistryAPI

extension SQLiteRegistryStore {
    public func claimAlerts(
        at now: Timestamp, leaseUntil lease: Timestamp, limits: [ChannelKind: Int]
    ) async throws -> [ClaimedAlert] {
        try await write { db in
            let sql = "SELECT key FROM alert WHERE kind = ? AND due <= ? ORDER BY due, key LIMIT ?"
            let due = try limits.sorted { $0.key.rawValue < $1.key.rawValue }
                .flatMap { try db.rows(sql, [$0.key.rawValue, now.milliseconds, $0.value]) }
            return try due.compactMap { due in
                let key: Int64 = due["key"]
                try db.run(
                    "UPDATE alert SET due = ?, attempts = attempts + 1 WHERE key = ?", [lease.milliseconds, key]
                )
                return try db.row(claimedAlert, [key]).map(db.claimedAlert)
            }
        }
    }

    public func settle(
        _ id: AlertID, attempt: Int, as settlement: AlertSettlement, at time: Timestamp, using entropy: Entropy
    ) async throws {
        let (due, delivered, reason): (Timestamp?, Timestamp?, String?) =
            switch settlement {
            case .delivered, .deliveredBy: (nil, time, nil)
            case .retry(let next, let reason): (next, nil, reason)
            case .givenUp(let reason), .gone(let reason): (nil, nil, reason)
            }
        try await write { db in
            try db.run(
                """
                UPDATE alert SET due = ?, delivered = ?, last_error = ?
                WHERE id = ? AND attempts = ? AND due IS NOT NULL
                """,
                [due?.milliseconds, delivered?.milliseconds, reason, id.blob, attempt]
            )
            guard db.changesCount == 1 else { return }
            try db.run(
                "UPDATE channel SET last_error = ? WHERE key = (SELECT channel FROM alert WHERE id = ?)",
                [reason, id.blob]
            )
            switch settlement {
            case .gone: try db.removeGoneChannel(of: id, at: time, using: entropy)
            case .deliveredBy(let environment): try db.remember(environment, ofChannelOf: id)
            case .delivered, .retry, .givenUp: break
            }
        }
    }

    public func nextAlertDue(of kinds: Set<ChannelKind>) async throws -> Timestamp? {
        try await read { db in
            let sql = "SELECT min(due) FROM alert WHERE kind = ? AND due IS NOT NULL"
            return try kinds.compactMap { try db.integer(sql, [$0.rawValue]) }.min().map(Timestamp.init(milliseconds:))
        }
    }
}

/// An alert with where it goes.
private let claimedAlert = """
    SELECT alert.id AS alert_id, alert.attempts, alert.created AS alert_created, alert.notice, alert.sighting,
        channel.id AS channel_id, channel.kind AS channel_kind, channel.url, channel.secret, channel.coordinates,
        channel.settings
    FROM alert JOIN channel ON channel.key = alert.channel
    WHERE alert.key = ?
    """

/// A sighting with all that its message says.
private let alertedSighting = """
    SELECT \(Sighting.columns), bike.id AS bike_id, bike.kind AS bike_kind, bike.make, bike.model,
        report.id AS report_id, report.police_reference
    FROM sighting \(Sighting.joins)
    JOIN report ON report.key = sighting.report
    JOIN bike ON bike.key = report.bike
    WHERE sighting.key = ?
    """

extension Database {
    fileprivate func claimedAlert(_ row: Row) throws -> ClaimedAlert {
        ClaimedAlert(
            id: try row.id("alert_id"), attempt: row["attempts"], created: row.timestamp("alert_created"),
            channel: ClaimedAlert.Target(
                id: try row.id("channel_id"), kind: try row.choice("channel_kind"), url: row["url"],
                secret: SigningSecret(bytes: [UInt8](row["secret"] as Data)), coordinates: row["coordinates"],
                settings: try row.channelSettings()
            ),
            content: try content(row)
        )
    }

    private func content(_ row: Row) throws -> ClaimedAlert.Content {
        if let notice: Data = row["notice"] {
            return .notice(try JSONDecoder().decode(OwnerNotice.self, from: notice))
        }
        guard let row = try self.row(alertedSighting, [row["sighting"] as Int64]) else {
            throw CorruptRow(column: "sighting")
        }
        let bike = SightingAlert.BikeSummary(
            id: try row.id("bike_id"), kind: try row.choice("bike_kind"), make: row["make"], model: row["model"]
        )
        return .sighting(
            ClaimedAlert.SightingContent(
                bike: bike, policeReference: row["police_reference"],
                sighting: try Sighting(row, report: try row.id("report_id"))
            )
        )
    }
}

extension Database {
    /// Queues an alert for each of an owner's channels; returns how many.
    @discardableResult
    func queueAlerts(
        _ subject: AlertSubject, toOwner owner: Int64, at time: Timestamp, using entropy: Entropy
    ) throws -> Int {
        var entropy = entropy
        let sql = "SELECT key, kind FROM channel WHERE owner = ? AND removed IS NULL AND verified IS NOT NULL"
        let channels = try rows(sql, [owner])
        for channel in channels {
            try run(
                "INSERT INTO alert (id, sighting, notice, channel, kind, created, due) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    AlertID(at: time, using: &entropy).blob, subject.sighting, try subject.notice,
                    channel["key"] as Int64, channel["kind"] as String, time.milliseconds, time.milliseconds,
                ]
            )
        }
        return channels.count
    }
}

/// What a queued alert is about.
enum AlertSubject {
    /// The sighting's key.
    case sighting(Int64)
    case notice(OwnerNotice)

    fileprivate var sighting: Int64? { if case .sighting(let key) = self { key } else { nil } }

    fileprivate var notice: Data? {
        get throws { if case .notice(let notice) = self { try JSONEncoder().encode(notice) } else { nil } }
    }
}
