import Registry
import RegistryAPI

extension VisitRecording {
    /// Whether a visit completes the test of a beacon: an enrolled station heard the beacon while the test ran.
    ///
    /// Any computer can send any identity. But nobody sends this one by chance or for long, and anyone who can make a
    /// station hear it has shown it there. Reports from the original app prove nothing, because their senders are
    /// unknown.
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
        try BeaconClaims(db).setPending(nil, bike: bike, at: time)
        try BikeBeacons(db).record(BikeEvent(.beaconProved, at: time, identity: visit.identity), of: bike)
        try Notices(db).queue(
            OwnerNotice(.beaconProved, bike: try Bikes(db).existing(bike).summary), toOwner: try row["owner"], at: time,
            using: entropy)
        _ = entries.append(
            AuditEvent(
                .beaconProved, by: .station(station.id), at: time, owner: try row.id("owner_id"),
                bike: try row.id("id"), station: station.id))
        return true
    }
}
