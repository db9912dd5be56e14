package import Registry
package import RegistryAPI

/// Bikes.
package struct Bikes {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// A bike with its open report, the pending proof of its beacon and its first photo.
    static let query = """
        SELECT bike.*, report.id AS open_report, beacon_claim.bike AS pending, claimed, test_ends,
            (SELECT photo.id FROM photo WHERE photo.bike = bike.key ORDER BY position LIMIT 1) AS photo
        FROM bike LEFT JOIN report ON report.bike = bike.key AND report.closed IS NULL
        LEFT JOIN beacon_claim ON beacon_claim.bike = bike.key

        """

    package func register(_ bike: NewBike, once: IdempotencyKey?, _ quotas: Quotas) throws -> Bike {
        let owner = try Owners(db).key(of: bike.owner)
        if let earlier = try IdempotencyKeys(db).resource(of: once) {
            guard let row = try db.row(Bikes.query + "WHERE bike.id = ? AND owner = ?", [earlier, owner]) else {
                throw DomainError.notFound("bike")
            }
            return try Bike(row)
        }
        try OwnerLimits(db).requireRoom(for: .bikes, of: owner, quotas)
        try OwnerLimits(db).noteUse(.identities, by: owner, quotas, at: bike.created)
        let made = Bike(
            id: bike.id, details: bike.details,
            identity: try Identities(db).take(from: bike.identity, at: bike.created), pending: bike.identity.pending,
            openReport: nil, created: bike.created
        )
        try insert(made, of: bike.owner, owner: owner)
        try IdempotencyKeys(db).remember(once, resource: bike.id.blob)
        return made
    }

    package func find(_ id: BikeID, of owner: OwnerID) throws -> Bike? {
        let condition = "WHERE bike.id = ? AND owner = (SELECT key FROM owner WHERE id = ?) AND beacon IS NOT NULL"
        return try db.row(Bikes.query + condition, [id.blob, owner.blob]).map(Bike.init)
    }

    package func page(of owner: OwnerID, _ page: PageRequest<BikeID>) throws -> StoredPage<Bike, BikeID> {
        let condition = """
            WHERE owner = (SELECT key FROM owner WHERE id = ?) AND bike.id > ? AND beacon IS NOT NULL
            ORDER BY bike.id LIMIT ?
            """
        let after = page.after ?? BikeID(high: 0, low: 0)
        return try db.rows(Bikes.query + condition, [owner.blob, after.blob, page.limit + 1])
            .map(Bike.init)
            .page(limit: page.limit, cursor: \.id)
    }

    package func change(_ bike: Bike, to changed: Bike, by act: OwnerAct) throws -> Bike {
        let key = try key(ofUnchanged: bike, owner: act.owner)
        guard changed != bike else { return bike }
        try db.run(
            """
            UPDATE bike SET kind = ?, make = ?, model = ?, colours = ?, year = ?, serial = ?, vin = ?, plate = ?,
                notes = ?, upkeep = ?
            WHERE key = ?
            """,
            [
                changed.kind.rawValue, changed.make, changed.model,
                changed.colours.map(\.rawValue).joined(separator: ","), changed.year, changed.serial, changed.vin,
                changed.plate, changed.notes, try changed.upkeepColumn, key,
            ]
        )
        try Reminders(db).plan(ofBike: key, changed.upkeep, at: act.time)
        try BikeBeacons(db).record(BikeEvent(.changed, at: act.time), of: key)
        try Notices(db).tell(
            SearchWeakening.of(bike, to: changed), to: try Owners(db).key(of: act.owner), bike: bike.summary, by: act)
        try AuditTrail(db).append(
            AuditEvent(.bikeChanged, by: act.principal, at: act.time, owner: act.owner, bike: bike.id))
        return changed
    }

    package func erase(_ bike: Bike, by act: OwnerAct) throws {
        _ = try key(ofUnchanged: bike, owner: act.owner)
        let owner = try Owners(db).key(of: act.owner)
        try RecoveryCodes(db).confirm(act, owner: owner, against: bike.openReport == nil ? nil : .eraseBike)
        try Notices(db).tell(.eraseBike, to: owner, bike: bike.summary, by: act)
        try Erasures(db).erase(.bike(bike.id), at: act.time)
        try AuditTrail(db).append(
            AuditEvent(.bikeErased, by: act.principal, at: act.time, owner: act.owner, bike: bike.id))
    }

    /// The integer key of a bike, if it has not changed since the caller read it.
    func key(ofUnchanged bike: Bike, owner: OwnerID) throws -> Int64 {
        let key = try key(of: bike.id, owner: owner)
        guard try existing(key) == bike else { throw DomainError.changedMeanwhile("bike") }
        return key
    }

    /// The bike with a key that is known to exist.
    func existing(_ key: Int64) throws -> Bike {
        guard let row = try db.row(Bikes.query + "WHERE bike.key = ?", [key]) else {
            throw DomainError.notFound("bike")
        }
        return try Bike(row)
    }

    func insert(_ bike: Bike, of id: OwnerID, owner: Int64) throws {
        try db.run(
            """
            INSERT INTO bike (id, owner, beacon, kind, make, model, colours, year, serial, vin, plate, notes, upkeep,
                created)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                bike.id.blob, owner, bike.identity.blob, bike.kind.rawValue, bike.make, bike.model,
                bike.colours.map(\.rawValue).joined(separator: ","), bike.year, bike.serial, bike.vin, bike.plate,
                bike.notes, try bike.upkeepColumn, bike.created.milliseconds,
            ]
        )
        let key = db.lastInsertedRowID
        try BeaconClaims(db).setPending(bike.pending, bike: key, at: bike.created)
        try Reminders(db).plan(ofBike: key, bike.upkeep, at: bike.created)
        try BikeBeacons(db).record(BikeEvent(.registered, at: bike.created, identity: bike.identity), of: key)
        try AuditTrail(db).append(
            AuditEvent(.bikeRegistered, by: .owner(id), at: bike.created, owner: id, bike: bike.id))
    }

    /// The integer key of a bike, if it belongs to this owner.
    func key(of id: BikeID, owner: OwnerID) throws -> Int64 {
        let sql =
            "SELECT key FROM bike WHERE id = ? AND owner = (SELECT key FROM owner WHERE id = ?) AND beacon IS NOT NULL"
        guard let key = try db.integer(sql, [id.blob, owner.blob]) else { throw DomainError.notFound("bike") }
        return key
    }
}

extension Bike {
    init(_ row: StoredRow) throws {
        let details = BikeDraft(
            kind: try row.choice("kind"), make: try row["make"], model: try row["model"], colours: try row.colours(),
            year: try row["year"], serial: try row["serial"], vin: try row["vin"], plate: try row["plate"],
            notes: try row["notes"],
            upkeep: try row.upkeep()
        )
        self.init(
            id: try row.id("id"), details: details, identity: try row.identity("beacon"),
            pending: row.hasNonNull("pending") ? try PendingBeacon(row) : nil,
            openReport: row.hasNonNull("open_report") ? try row.id("open_report") : nil,
            created: try row.timestamp("created"), photo: row.hasNonNull("photo") ? try row.id("photo") : nil
        )
    }

    /// The summary of the bike for notices.
    var summary: SightingAlert.BikeSummary {
        .init(id: id, kind: details.kind, make: details.make, model: details.model)
    }
}

extension StoredRow {
    func colours() throws -> [BikeColour] { try BikeColour.colours(self["colours"]) }
}

extension BikeColour {
    /// Parses the comma-separated column of a bike's colours.
    static func colours(_ text: String) throws -> [BikeColour] {
        try text.split(separator: ",").map { name in
            guard let colour = BikeColour(rawValue: String(name)) else { throw CorruptRow(column: "colours") }
            return colour
        }
    }
}
