public import Beacons
import GRDB
public import Registry
public import RegistryAPI
import RegistrySQL

// Whether a beacon whose identity its owner gave is the owner's.
extension SQLiteRegistryStore {
    public func testBeacon(of bike: BikeID, by act: OwnerAct) async throws -> Bike {
        try await write { [quotas] db in
            let key = try db.key(ofBike: bike, owner: act.owner)
            guard try db.isPending(key) else { return try db.bike(key) }
            let owner = try db.key(of: act.owner)
            try db.refuseSuspended(owner)
            try db.refuseStopped(key)
            try db.noteUse(.tests, by: owner, quotas, at: act.time)
            try db.endBeaconTests(ofOwner: owner)
            try db.run(
                "UPDATE beacon_claim SET test_ends = ? WHERE bike = ?",
                [act.time.advanced(by: PendingBeacon.testLength).milliseconds, key]
            )
            try db.audit(AuditEvent(.beaconTested, by: act.principal, at: act.time, owner: act.owner, bike: bike))
            return try db.bike(key)
        }
    }

    public func claims(_ page: PageRequest<BikeID>) async throws -> StoredPage<BeaconClaim, BikeID> {
        try await read { db in
            let after = page.after ?? BikeID(high: 0, low: 0)
            let sql = claimQuery + "WHERE claimed IS NOT NULL AND bike.id > ? ORDER BY bike.id LIMIT ?"
            return try db.rows(sql, [after.blob, page.limit + 1])
                .map(BeaconClaim.init)
                .page(limit: page.limit, cursor: \.bike)
        }
    }

    public func acceptClaim(
        _ checked: BeaconIdentity, of bike: BikeID, by act: OperatorAct
    ) async throws -> BeaconClaim {
        try await write { db in
            let (key, claim) = try db.claim(of: bike)
            guard claim.claimed == checked else {
                let detail = "is not what the owner claims now; look at the claim again"
                throw DomainError.invalidFields([FieldError(pointer: "/identity", detail: detail)])
            }
            let identity = try db.takeIdentity(from: .given(claim.claimed), at: act.time)
            try db.replaceBeacon(of: key, with: identity, as: .beaconAccepted, at: act.time)
            try db.setPending(nil, bike: key, at: act.time)
            try db.finish(.claimAccepted, .claimAccepted, nil, claim, key, act)
            return claim
        }
    }

    public func refuseClaim(of bike: BikeID, reason: String?, by act: OperatorAct) async throws -> BeaconClaim {
        try await write { db in
            let (key, claim) = try db.claim(of: bike)
            try db.run("UPDATE beacon_claim SET claimed = NULL WHERE bike = ?", [key])
            try db.finish(.claimRefused, .claimRefused, reason, claim, key, act)
            return claim
        }
    }
}

extension Database {
    /// Keeps what is left to prove of a bike's beacon, in place of what was before.
    func setPending(_ pending: PendingBeacon?, bike: Int64, at time: Timestamp) throws {
        try run("DELETE FROM beacon_claim WHERE bike = ?", [bike])
        guard let pending else { return }
        try run(
            "INSERT INTO beacon_claim (bike, claimed, since) VALUES (?, ?, ?)",
            [bike, pending.claimed?.blob, time.milliseconds]
        )
    }

    fileprivate func isPending(_ bike: Int64) throws -> Bool {
        try exists("SELECT 1 FROM beacon_claim WHERE bike = ?", [bike])
    }

    /// - Throws: `beaconUnproved`.
    func refuseUnproved(_ bike: Int64) throws {
        guard try !isPending(bike) else { throw DomainError.beaconUnproved }
    }

    /// - Throws: `beaconStopped`.
    fileprivate func refuseStopped(_ bike: Int64) throws {
        let sql =
            "SELECT 1 FROM bike JOIN identity ON identity.beacon = bike.beacon WHERE bike.key = ? AND stopped IS NOT NULL"
        guard try !exists(sql, [bike]) else { throw DomainError.beaconStopped }
    }

    /// An owner has one test at a time.
    func endBeaconTests(ofOwner owner: Int64) throws {
        let sql = """
            UPDATE beacon_claim SET test_ends = NULL
            WHERE test_ends IS NOT NULL AND bike IN (SELECT key FROM bike WHERE owner = ?)
            """
        try run(sql, [owner])
    }

    /// A claim that waits for an operator, with the integer key of its bike.
    fileprivate func claim(of bike: BikeID) throws -> (bike: Int64, BeaconClaim) {
        guard let row = try row(claimQuery + "WHERE claimed IS NOT NULL AND bike.id = ?", [bike.blob]) else {
            throw DomainError.notFound("claim")
        }
        return (try row["key"], try BeaconClaim(row))
    }

    fileprivate func finish(
        _ event: OwnerNotice.Event, _ action: AuditAction, _ reason: String?, _ claim: BeaconClaim, _ bike: Int64,
        _ act: OperatorAct
    ) throws {
        let notice = OwnerNotice(event, bike: try self.bike(bike).summary, subject: reason)
        try tell(notice, toOwner: try key(of: claim.owner), act)
        try audit(act.event(action, owner: claim.owner, bike: claim.bike, reason: reason))
    }
}

extension VisitRecording {
    /// Whether a visit ends the test of a beacon: an enrolled station heard it while the test ran.
    ///
    /// A computer can send any identity; but nobody sends this one by chance or for long, and whoever can make a station
    /// hear it has shown it there. What the original app tells proves nothing: nobody knows who told it.
    func proves(_ visit: Visit, _ entries: inout PendingEntries) throws -> Bool {
        guard !station.isApp else { return false }
        let sql = """
            SELECT bike.key, bike.id, bike.owner, owner.id AS owner_id, test_ends
            FROM bike JOIN beacon_claim ON beacon_claim.bike = bike.key JOIN owner ON owner.key = bike.owner
            WHERE bike.beacon = ? AND test_ends > ?
            """
        guard let row = try db.row(sql, [visit.identity.blob, time.milliseconds]) else { return false }
        let begin = try row.timestamp("test_ends").advanced(by: .zero - PendingBeacon.testLength)
        guard visit.lastSeen >= begin.advanced(by: .zero - SightingRules.clockTolerance) else { return false }
        let bike: Int64 = try row["key"]
        try db.setPending(nil, bike: bike, at: time)
        try db.record(BikeEvent(.beaconProved, at: time, identity: visit.identity), of: bike)
        try db.queueAlerts(
            OwnerNotice(.beaconProved, bike: try db.bike(bike).summary), toOwner: try row["owner"], at: time,
            using: entropy)
        _ = entries.append(
            AuditEvent(
                .beaconProved, by: .station(station.id), at: time, owner: try row.id("owner_id"),
                bike: try row.id("id"), station: station.id))
        return true
    }
}

/// What operators see of a claim.
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
    init(_ row: StoredRow) throws {
        self.init(
            claimed: row.hasNonNull("claimed") ? try row.identity("claimed") : nil,
            testEnds: try row.optionalTimestamp("test_ends")
        )
    }
}

extension IdentitySource {
    /// What is left to prove of a beacon with an identity from here.
    var pending: PendingBeacon? {
        if case .claimed(let identity, _) = self { PendingBeacon(claimed: identity) } else { nil }
    }
}
