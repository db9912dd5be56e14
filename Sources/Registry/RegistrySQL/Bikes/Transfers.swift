import Foundation
package import RegistryAPI
package import RegistryRules

/// Transfers of bikes between owners.
package struct Transfers {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The time for which a bike stays with its owner after it has been missing.
    package static let waitAfterMissing = Duration.days(7)

    /// Stores the code that lets a new owner accept a bike, in place of an earlier code of the same bike.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `ownerSuspended`, `bikeMissing`, `beaconUnproved`, `missingRecently`,
    ///   `tooManyToday`; while another bike of the owner is missing, `recoveryCodeNeeded` and `codeUnusable`.
    package func offer(
        of bike: BikeID, code: SecretDigest, expires: Timestamp, by act: OwnerAct, _ quotas: Quotas
    ) throws {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .owner)
        let key = access.key
        try Owners(db).refuseSuspended(access.owner)
        try refuseHandingOver(key, at: act.time)
        try OwnerLimits(db).noteUse(.transferOffers, by: access.caller, quotas, at: act.time)
        try RecoveryCodes(db).confirm(act, access, against: .offerTransfer)
        try db.run(
            """
            INSERT INTO transfer (bike, code, expires) VALUES (?, ?, ?)
            ON CONFLICT (bike) DO UPDATE SET code = excluded.code, expires = excluded.expires
            """,
            [key, code.blob, expires.milliseconds]
        )
        try AuditTrail(db).append(access.event(.transferOffered, by: act))
    }

    /// Transfers the bike of a code to the owner who acts, and notifies the previous owner. A repeated call returns
    /// the bike.
    ///
    /// - Parameter rotating: who may own a rotating beacon.
    /// - Throws: `codeUnusable`, `ownerSuspended`, `bikeMissing`, `beaconUnproved`, `missingRecently`,
    ///   `verificationNeeded`, `quotaReached`, `idempotencyKeyReused`.
    package func accept(
        code: SecretDigest, by act: OwnerAct, rotating: RotatingBeaconPolicy, once: IdempotencyKey?, _ quotas: Quotas
    ) throws -> Bike {
        let taker = try Owners(db).key(of: act.owner)
        if let earlier = try IdempotencyKeys(db).resource(of: once) {
            guard let id = BikeID(blob: earlier) else { throw CorruptRow(column: "resource") }
            return try Bikes(db).existing(try Bikes(db).access(to: id, by: act.owner, needing: .owner).key)
        }
        let sql = """
            SELECT bike.key, bike.owner FROM transfer JOIN bike ON bike.key = transfer.bike
            WHERE code = ? AND expires > ? AND bike.owner <> ?
            """
        guard let row = try db.row(sql, [code.blob, act.time.milliseconds, taker]) else {
            throw DomainError.codeUnusable
        }
        let bike: Int64 = try row["key"]
        for owner in [taker, try row["owner"]] { try Owners(db).refuseSuspended(owner) }
        try refuseHandingOver(bike, at: act.time)
        if rotating == .verified { try refuseRotating(bike, for: taker) }
        try OwnerLimits(db).requireRoom(for: .bikes, of: taker, quotas)
        try handOver(bike, from: try row["owner"], to: taker, by: act)
        let handed = try Bikes(db).existing(bike)
        try IdempotencyKeys(db).remember(once, resource: handed.id.blob)
        return handed
    }

    /// Refuses to transfer a bike that is missing, or was within ``waitAfterMissing``: a thief might sell
    /// it. Also refuses one whose beacon still needs a proof.
    private func refuseHandingOver(_ bike: Int64, at time: Timestamp) throws {
        try Reports(db).refuseMissing(bike)
        try BeaconClaims(db).refuseUnproved(bike)
        let closed = try db.integer("SELECT max(closed) FROM report WHERE bike = ?", [bike])
        guard let until = closed.map({ Timestamp(milliseconds: $0).advanced(by: Self.waitAfterMissing) }),
            time < until
        else { return }
        throw DomainError.missingRecently(until: until)
    }

    /// Refuses a rotating beacon for an owner whom no operator has verified.
    private func refuseRotating(_ bike: Int64, for owner: Int64) throws {
        let sql = """
            SELECT 1 FROM bike JOIN rotating_beacon ON rotating_beacon.beacon = bike.beacon
            WHERE bike.key = ? AND EXISTS (SELECT 1 FROM owner WHERE key = ? AND known IS NULL)
            """
        guard try !db.exists(sql, [bike, owner]) else { throw DomainError.verificationNeeded }
    }

    /// Gives a bike another owner, and deletes what was meant for the previous one.
    private func handOver(_ bike: Int64, from giver: Int64, to taker: Int64, by act: OwnerAct) throws {
        let summary = try Bikes(db).existing(bike).summary
        try setReportsAside(of: bike, by: act)
        try db.run("UPDATE bike SET owner = ?, notes = NULL, plate = NULL, upkeep = NULL WHERE key = ?", [taker, bike])
        try ParkedBikes(db).forget(bike)
        try db.run("DELETE FROM reminder WHERE bike = ?", [bike])
        try db.run("DELETE FROM transfer WHERE bike = ?", [bike])
        try Members(db).endAll(of: bike, summary, by: act)
        // Photos may show more than the bike, such as the previous owner's garage.
        try db.run("DELETE FROM photo WHERE bike = ?", [bike])
        // Messages from finders were meant for the previous owner, whose sticker may still be on the bike.
        try Stickers(db).delete(of: bike)
        try Conversations(db).deleteAll(of: bike, at: act.time)
        // Each owner decides whether buyers can check the bike.
        try BikeNumbers(db).endConsent(of: bike)
        try db.run("DELETE FROM bike_event WHERE bike = ? AND event = ?", [bike, BikeEvent.Kind.found.rawValue])
        try BikeBeacons(db).record(BikeEvent(.transferred, at: act.time), of: bike)
        try Notices(db).tell(.handOver, to: giver, bike: summary, by: act)
        let giverID: OwnerID? = try db.row("SELECT id FROM owner WHERE key = ?", [giver]).map { try $0.id("id") }
        for owner in [giverID, act.owner] {
            try AuditTrail(db).append(
                AuditEvent(.bikeTransferred, by: act.principal, at: act.time, owner: owner, bike: summary.id))
        }
    }

    /// Moves a bike's reports to a row without a beacon, which stays with the previous owner.
    private func setReportsAside(of bike: Int64, by act: OwnerAct) throws {
        guard try db.exists("SELECT 1 FROM report WHERE bike = ?", [bike]) else { return }
        var entropy = act.entropy
        let aside = try db.insert(
            """
            INSERT INTO bike (id, owner, kind, make, model, colours, year, serial, vin, engine_number, plate, notes, created)
            SELECT ?, owner, kind, make, model, colours, year, serial, vin, engine_number, plate, notes, created FROM bike
            WHERE key = ?
            """,
            [BikeID(at: act.time, using: &entropy).blob, bike]
        )
        try db.run("UPDATE report SET bike = ? WHERE bike = ?", [aside, bike])
    }
}
