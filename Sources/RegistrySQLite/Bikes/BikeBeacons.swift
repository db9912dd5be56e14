import Beacons
import GRDB
public import Registry
public import RegistryAPI
import RegistrySQL

extension SQLiteRegistryStore {
    public func replaceBeacon(of bike: Bike, from source: IdentitySource, by act: OwnerAct) async throws -> Bike {
        try await write { [quotas] db in
            let key = try db.key(ofUnchanged: bike, owner: act.owner)
            try db.refuseMissing(key)
            let owner = try db.key(of: act.owner)
            try db.noteUse(.identities, by: owner, quotas, at: act.time)
            let identity = try db.takeIdentity(from: source, at: act.time)
            try db.replaceBeacon(of: key, with: identity, as: .beaconRetired, at: act.time)
            try db.setPending(source.pending, bike: key, at: act.time)
            try db.tell(.replaceBeacon, to: owner, bike: bike.summary, by: act)
            try db.audit(AuditEvent(.beaconRetired, by: act.principal, at: act.time, owner: act.owner, bike: bike.id))
            return try db.bike(key)
        }
    }

    public func exchangeBeacons(of bike: Bike, with other: BikeID, by act: OwnerAct) async throws -> Bike {
        try await write { db in
            let keys = [try db.key(ofUnchanged: bike, owner: act.owner), try db.key(ofBike: other, owner: act.owner)]
            for key in keys {
                try db.refuseMissing(key)
                try db.refuseUnproved(key)
            }
            let identities = [try db.bike(keys[1]).identity, bike.identity]
            // Each identity is of one bike at any moment: the first one goes without for a moment.
            try db.run("UPDATE bike SET beacon = NULL WHERE key = ?", [keys[0]])
            for (key, identity) in zip(keys, identities).reversed() {
                try db.run("UPDATE bike SET beacon = ? WHERE key = ?", [identity.blob, key])
                try db.record(BikeEvent(.beaconMoved, at: act.time, identity: identity), of: key)
            }
            for key in keys {
                try db.tell(
                    .replaceBeacon, to: try db.key(of: act.owner), bike: try db.bike(key).summary, by: act)
            }
            for id in [bike.id, other] {
                try db.audit(AuditEvent(.beaconMoved, by: act.principal, at: act.time, owner: act.owner, bike: id))
            }
            return try db.bike(keys[0])
        }
    }

    public func history(
        of bike: BikeID, owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<BikeEvent, Int64> {
        try await read { db in
            let key = try db.key(ofBike: bike, owner: owner)
            let sql = "SELECT * FROM bike_event WHERE bike = ? AND key > ? ORDER BY key LIMIT ?"
            let events = try db.rows(sql, [key, page.after ?? 0, page.limit + 1])
                .map { (key: try $0["key"] as Int64, event: try BikeEvent($0)) }
                .page(limit: page.limit, cursor: \.key)
            return StoredPage(items: events.items.map(\.event), next: events.next)
        }
    }
}

extension Database {
    /// Gives a bike another identity, which was taken for it; the one before is out of use for ever.
    func replaceBeacon(
        of bike: Int64, with identity: BeaconIdentity, as event: BikeEvent.Kind, at time: Timestamp
    ) throws {
        let before = try self.bike(bike).identity
        try run("UPDATE bike SET beacon = ? WHERE key = ?", [identity.blob, bike])
        try retire(before.blob, at: time)
        try record(BikeEvent(event, at: time, identity: identity), of: bike)
    }

    /// Adds to a bike's history.
    func record(_ event: BikeEvent, of bike: Int64) throws {
        try run(
            "INSERT INTO bike_event (bike, time, event, beacon, message, contact) VALUES (?, ?, ?, ?, ?, ?)",
            [
                bike, event.time.milliseconds, event.event.rawValue, event.identity?.blob, event.message,
                event.contact,
            ]
        )
    }
}

extension BikeEvent {
    init(_ row: StoredRow) throws {
        self.init(
            try row.choice("event"), at: try row.timestamp("time"),
            identity: row.hasNonNull("beacon") ? try row.identity("beacon") : nil, message: try row["message"],
            contact: try row["contact"]
        )
    }
}
