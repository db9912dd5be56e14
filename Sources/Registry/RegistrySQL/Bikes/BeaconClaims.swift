package import Beacons
package import RegistryAPI
package import RegistryRules

/// Proofs that a beacon is its owner’s which are still pending, and owners’ claims to identities that they give.
package struct BeaconClaims {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The claims that wait for an operator, in the order of their bikes’ registration.
    package func page(_ page: PageRequest<BikeID>) throws -> StoredPage<BeaconClaim, BikeID> {
        let after = page.after ?? BikeID(high: 0, low: 0)
        let sql = claimQuery + "WHERE claimed IS NOT NULL AND bike.id > ? ORDER BY bike.id LIMIT ?"
        return try db.rows(sql, [after.blob, page.limit + 1])
            .map(BeaconClaim.init)
            .page(limit: page.limit, cursor: \.bike)
    }

    /// Gives a bike the identity that its owner claims; a proof is no longer needed.
    ///
    /// - Parameter checked: the identity that the operator has checked.
    /// - Throws: `notFound`, `identityTaken`; `invalidFields` if another identity is claimed by now.
    package func accept(
        _ checked: BeaconIdentity, of bike: BikeID, by act: OperatorAct
    ) throws -> BeaconClaim {
        let (key, claim) = try claim(of: bike)
        guard claim.claimed == checked else {
            throw DomainError.invalidField("/identity", "is not what the owner claims now; look at the claim again")
        }
        let identity = try Identities(db).take(from: .given(claim.claimed), at: act.time)
        try BikeBeacons(db).replace(of: key, with: identity, as: .beaconAccepted, at: act.time)
        try setPending(nil, bike: key, at: act.time)
        try finish(.claimAccepted, .claimAccepted, nil, claim, key, act)
        return claim
    }

    /// Refuses a claim. The beacon stays pending: a test can still prove it.
    ///
    /// - Throws: `notFound`.
    package func refuse(of bike: BikeID, reason: String?, by act: OperatorAct) throws -> BeaconClaim {
        let (key, claim) = try claim(of: bike)
        try db.run("UPDATE beacon_claim SET claimed = NULL WHERE bike = ?", [key])
        try finish(.claimRefused, .claimRefused, reason, claim, key, act)
        return claim
    }

    /// Stores the pending proof of a bike’s beacon in place of the previous one; nil if no proof is needed.
    ///
    /// - Parameter bike: the bike’s key.
    func setPending(_ pending: PendingBeacon?, bike: Int64, at time: Timestamp) throws {
        try db.run("DELETE FROM beacon_claim WHERE bike = ?", [bike])
        guard let pending else { return }
        try db.run(
            "INSERT INTO beacon_claim (bike, claimed, since) VALUES (?, ?, ?)",
            [bike, pending.claimed?.blob, time.milliseconds]
        )
    }

    private func isPending(_ bike: Int64) throws -> Bool {
        try db.exists("SELECT 1 FROM beacon_claim WHERE bike = ?", [bike])
    }

    /// Refuses an act on a bike whose beacon still needs a proof.
    ///
    /// - Throws: `beaconUnproved`.
    func refuseUnproved(_ bike: Int64) throws {
        guard try !isPending(bike) else { throw DomainError.beaconUnproved }
    }

    /// A claim that waits for an operator, and the integer key of its bike.
    private func claim(of bike: BikeID) throws -> (bike: Int64, BeaconClaim) {
        guard let row = try db.row(claimQuery + "WHERE claimed IS NOT NULL AND bike.id = ?", [bike.blob]) else {
            throw DomainError.notFound("claim")
        }
        return (try row["key"], try BeaconClaim(row))
    }

    /// Notifies the owner of the operator’s decision, and adds it to the audit.
    private func finish(
        _ event: OwnerNotice.Event, _ action: AuditAction, _ reason: String?, _ claim: BeaconClaim, _ bike: Int64,
        _ act: OperatorAct
    ) throws {
        let notice = OwnerNotice(event, bike: try Bikes(db).existing(bike).summary, subject: reason)
        try Notices(db).tell(notice, toOwner: try Owners(db).key(of: claim.owner), act)
        try AuditTrail(db).append(act.event(action, owner: claim.owner, bike: claim.bike, reason: reason))
    }
}

/// A claim as operators see it.
private let claimQuery = """
    SELECT bike.key, bike.id, owner.id AS owner_id, claimed, since,
        EXISTS (SELECT 1 FROM identity WHERE identity.beacon = claimed) AS taken
    FROM beacon_claim JOIN bike ON bike.key = beacon_claim.bike JOIN owner ON owner.key = bike.owner

    """

extension BeaconClaim {
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            bike: try row.id("id"), owner: try row.id("owner_id"), claimed: try row.identity("claimed"),
            taken: try row["taken"], since: try row.timestamp("since")
        )
    }
}

extension PendingBeacon {
    /// Reads the columns `claimed` and `test_ends`.
    init(_ row: StoredRow) throws {
        self.init(
            claimed: row.hasNonNull("claimed") ? try row.identity("claimed") : nil,
            testEnds: try row.optionalTimestamp("test_ends")
        )
    }
}

extension IdentitySource {
    /// The pending proof of a beacon with an identity from this source.
    var pending: PendingBeacon? {
        if case .claimed(let identity, _) = self { PendingBeacon(claimed: identity) } else { nil }
    }
}
