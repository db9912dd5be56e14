import GRDB
public import Registry
public import RegistryAPI

extension SQLiteRegistryStore {
    public func claimAlerts(
        at now: Timestamp, leaseUntil lease: Timestamp, limits: [ChannelKind: Int], shares: OwnerShares
    ) async throws -> [ClaimedAlert] {
        try await write { db in
            var claimed: [ClaimedAlert] = []
            for (kind, limit) in limits.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                let claims = AlertClaims(
                    db: db, kind: kind, now: now, lease: lease, share: try db.share(of: kind, shares))
                claimed += try claims.claim(atMost: limit)
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

    public func nextAlertDue(of kinds: Set<ChannelKind>, shares: OwnerShares) async throws -> Timestamp? {
        try await read { db in
            let due = try kinds.flatMap { kind in
                let full = try db.share(of: kind, shares).full
                return try [true, false].compactMap { isUrgent in
                    try db.integer(AlertClaims.firstDue, [kind.rawValue, isUrgent, full])
                }
            }
            return due.min().map(Timestamp.init(milliseconds:))
        }
    }
}
