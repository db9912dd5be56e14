import Beacons
package import RegistryAPI
package import RegistryRules

/// Moves and replacements of beacons, and the history of bikes.
package struct BikeBeacons {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Events, and whether their identities are names of rotating beacons.
    static let events = """
        SELECT bike_event.*, rotating FROM bike_event LEFT JOIN identity ON identity.beacon = bike_event.beacon

        """

    /// Gives a bike another identity, if it is as the caller saw it, and notifies the owner.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `changedMeanwhile`, `bikeMissing`, `tooManyToday`, `identityTaken`,
    ///   `identitiesExhausted`.
    package func replace(of bike: Bike, from source: IdentitySource, by act: OwnerAct, _ quotas: Quotas) throws -> Bike
    {
        let access = try Bikes(db).access(toUnchanged: bike, by: act.owner, needing: .owner)
        let key = access.key
        try Reports(db).refuseMissing(key)
        try OwnerLimits(db).noteUse(.identities, by: access.owner, quotas, at: act.time)
        let identity = try Identities(db).take(from: source, at: act.time)
        try replace(of: key, with: identity, as: .beaconRetired, at: act.time)
        try BeaconClaims(db).setPending(source.pending, bike: key, at: act.time)
        try Notices(db).tell(.replaceBeacon, access, bike: bike.summary, by: act)
        try AuditTrail(db).append(access.event(.beaconRetired, by: act))
        return try Bikes(db).existing(key)
    }

    /// Exchanges the beacons of two bikes of an owner, if the first is as the caller saw it.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `changedMeanwhile`, `bikeMissing`, `beaconUnproved`, `tooManyToday`.
    package func exchange(of bike: Bike, with other: BikeID, by act: OwnerAct, _ quotas: Quotas) throws -> Bike {
        let both = [
            try Bikes(db).access(toUnchanged: bike, by: act.owner, needing: .owner),
            try Bikes(db).access(to: other, by: act.owner, needing: .owner),
        ]
        let keys = both.map(\.key)
        for key in keys {
            try Reports(db).refuseMissing(key)
            try BeaconClaims(db).refuseUnproved(key)
        }
        try OwnerLimits(db).noteUse(.exchanges, by: both[0].caller, quotas, at: act.time)
        let identities = [try Bikes(db).existing(keys[1]).identity, bike.identity]
        // An identity belongs to only one bike at any time, so clear the first bike's beacon first.
        try db.run("UPDATE bike SET beacon = NULL WHERE key = ?", [keys[0]])
        for (key, identity) in zip(keys, identities).reversed() {
            try db.run("UPDATE bike SET beacon = ? WHERE key = ?", [identity.blob, key])
            try record(BikeEvent(.beaconMoved, at: act.time, identity: identity), of: key)
        }
        for access in both {
            let summary = try Bikes(db).existing(access.key).summary
            try Notices(db).tell(.replaceBeacon, access, bike: summary, by: act)
            try AuditTrail(db).append(access.event(.beaconMoved, by: act))
        }
        return try Bikes(db).existing(keys[0])
    }

    /// The history of a bike, the oldest event first.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    package func history(
        of bike: BikeID, owner: OwnerID, _ page: PageRequest<Int64>
    ) throws -> StoredPage<BikeEvent, Int64> {
        // A history contains messages of strangers, with their addresses.
        let key = try Bikes(db).access(to: bike, by: owner, needing: .manage).key
        let sql = Self.events + "WHERE bike = ? AND key > ? ORDER BY key LIMIT ?"
        let events = try db.rows(sql, [key, page.after ?? 0, page.limit + 1])
            .map { (key: try $0["key"] as Int64, event: try BikeEvent($0)) }
            .page(limit: page.limit, cursor: \.key)
        return StoredPage(items: events.items.map(\.event), next: events.next)
    }

    /// Gives a bike another identity, which was reserved for it. The previous identity is retired forever.
    func replace(
        of bike: Int64, with identity: BeaconIdentity, as event: BikeEvent.Kind, at time: Timestamp
    ) throws {
        let before = try Bikes(db).existing(bike).identity
        try db.run("UPDATE bike SET beacon = ? WHERE key = ?", [identity.blob, bike])
        try Identities(db).retire(before.blob, at: time)
        try record(BikeEvent(event, at: time, identity: identity), of: bike)
    }

    /// Adds an event to a bike’s history, and returns the key of its row.
    @discardableResult
    func record(_ event: BikeEvent, of bike: Int64) throws -> Int64 {
        try db.insert(
            "INSERT INTO bike_event (bike, time, event, beacon, message, contact) VALUES (?, ?, ?, ?, ?, ?)",
            [
                bike, event.time.milliseconds, event.event.rawValue, event.identity?.blob, event.message,
                event.contact,
            ]
        )
    }
}

extension StoredRow {
    /// Whether the row's identity is the name of a rotating beacon; nil means no.
    var isRotating: Bool? { get throws { (try self["rotating"] as Bool?) == true ? true : nil } }
}

extension BikeEvent {
    /// Reads a row of ``BikeBeacons/events``.
    init(_ row: StoredRow) throws {
        self.init(
            try row.choice("event"), at: try row.timestamp("time"),
            identity: row.hasNonNull("beacon") ? try row.identity("beacon") : nil, rotating: try row.isRotating,
            message: try row["message"], contact: try row["contact"]
        )
    }
}
