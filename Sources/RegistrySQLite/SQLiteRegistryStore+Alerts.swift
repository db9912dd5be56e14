import GRDB
public import Registry
public import RegistryAPI

extension SQLiteRegistryStore {
    public func claimAlerts(
        at now: Timestamp, leaseUntil lease: Timestamp, limits: [ChannelKind: Int]
    ) async throws -> [ClaimedAlert] {
        try await write { db in
            var claimed: [ClaimedAlert] = []
            for (kind, limit) in limits.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                claimed += try db.claim(kind, limit: limit, at: now, leaseUntil: lease)
            }
            return claimed
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
            if delivered != nil { try db.settleDigest(id, at: time) }
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
            let sql = "SELECT min(due) FROM alert WHERE kind = ? AND urgent = ? AND due IS NOT NULL"
            let due = try kinds.flatMap { kind in
                try [true, false].compactMap { try db.integer(sql, [kind.rawValue, $0]) }
            }
            return due.min().map(Timestamp.init(milliseconds:))
        }
    }
}

extension Database {
    /// Claims what is due of a kind, urgent alerts first.
    fileprivate func claim(
        _ kind: ChannelKind, limit: Int, at now: Timestamp, leaseUntil lease: Timestamp
    ) throws -> [ClaimedAlert] {
        let sql = "SELECT key FROM alert WHERE kind = ? AND urgent = ? AND due <= ? ORDER BY due, key LIMIT ?"
        var claimed: [ClaimedAlert] = []
        for isUrgent in [true, false] where claimed.count < limit {
            let due = try rows(sql, [kind.rawValue, isUrgent, now.milliseconds, limit - claimed.count])
            claimed += try due.compactMap { try claim($0["key"], at: now, leaseUntil: lease) }
        }
        return claimed
    }
}
