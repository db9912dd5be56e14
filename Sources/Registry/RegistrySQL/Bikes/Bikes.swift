package import RegistryAPI
package import RegistryRules
import Syntax

/// The bikes of owners, and who may do what with one (``BikeAccess``).
package struct Bikes {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// A bike with its open report, the pending proof and the tests of its beacon, its first photo, and whether buyers can
    /// check it.
    static let query = """
        SELECT bike.*, report.id AS open_report, beacon_claim.bike AS pending, claimed, test_ends,
            tested_until, heard_in_test,
            (SELECT photo.id FROM photo WHERE photo.bike = bike.key ORDER BY position LIMIT 1) AS photo,
            EXISTS (SELECT 1 FROM bike_number WHERE bike_number.bike = bike.key AND consent IS NOT NULL) AS buyer_check,
            rotating_beacon.lag AS rotating_lag, rotating_beacon.checked AS rotating_checked,
            rotating_beacon.unreadable AS rotating_unreadable
        FROM bike LEFT JOIN identity ON identity.beacon = bike.beacon
        LEFT JOIN rotating_beacon ON rotating_beacon.beacon = bike.beacon
        LEFT JOIN report ON report.bike = bike.key AND report.closed IS NULL
        LEFT JOIN beacon_claim ON beacon_claim.bike = bike.key

        """

    /// Registers a bike, and takes an identity for its beacon. A repeated call returns the first call’s bike.
    ///
    /// - Throws: `quotaReached`, `tooManyToday`, `identityTaken`, `identitiesExhausted`, `idempotencyKeyReused`.
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
            openReport: nil, created: bike.created,
            rotation: bike.identity.isRotating ? BeaconRotation(lag: 0, checked: bike.created) : nil
        )
        let key = try insert(made, of: bike.owner, owner: owner)
        try BikeNumbers(db).set(made, key: key, by: owner, quotas, at: bike.created)
        try IdempotencyKeys(db).remember(once, resource: bike.id.blob)
        return made
    }

    /// The bike as this caller sees it; nil unless the caller owns it or is its member.
    package func find(_ id: BikeID, of owner: OwnerID) throws -> Bike? {
        guard let row = try db.row(BikeAccess.query, [owner.blob, id.blob]) else { return nil }
        let access = try BikeAccess(row, to: id)
        return try existing(access.key).shown(to: access.role)
    }

    /// The bikes that an owner has or is a member of, in the order of their identifiers.
    package func page(of owner: OwnerID, _ page: PageRequest<BikeID>) throws -> StoredPage<Bike, BikeID> {
        let caller = try Owners(db).key(of: owner)
        let after = page.after ?? BikeID(high: 0, low: 0)
        let rows = try db.rows(Self.visible, [caller, after.blob, BikeRole.owner.rawValue, page.limit + 1])
        return
            try rows
            .map { row in
                let (key, role): (Int64, BikeRole) = (try row["key"], try row.bikeRole())
                var bike = try existing(key).shown(to: role)
                if role >= .report { bike.waitingMessages = try Conversations(db).waiting(on: key) }
                return bike
            }
            .page(limit: page.limit, cursor: \.id)
    }

    /// The keys of the bikes that an owner has or is a member of, each with the role.
    static let visible = """
        SELECT key, id, CAST(?3 AS BIGINT) AS role FROM bike WHERE owner = ?1 AND id > ?2 AND beacon IS NOT NULL
        UNION ALL
        SELECT bike.key, bike.id, role FROM bike_member CROSS JOIN bike
        WHERE bike_member.owner = ?1 AND bike.key = bike_member.bike AND bike.id > ?2 AND beacon IS NOT NULL
        ORDER BY id LIMIT ?4
        """

    /// Changes the details of a bike that is as the caller saw it.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `changedMeanwhile`, `tooManyToday`.
    package func change(_ bike: Bike, to changed: Bike, by act: OwnerAct, _ quotas: Quotas) throws -> Bike {
        let access = try access(toUnchanged: bike, by: act.owner, needing: .manage)
        let key = access.key
        guard changed != bike else { return bike }
        try OwnerLimits(db).noteUse(.bikeChanges, by: access.caller, quotas, at: act.time)
        try db.run(
            """
            UPDATE bike SET kind = ?, make = ?, model = ?, colours = ?, year = ?, serial = ?, vin = ?,
                engine_number = ?, plate = ?, notes = ?, upkeep = ?
            WHERE key = ?
            """,
            [
                changed.kind.rawValue, changed.make, changed.model,
                changed.colours.map(\.rawValue).joined(separator: ","), changed.year, changed.serial, changed.vin,
                changed.engineNumber, changed.plate, changed.notes, try changed.upkeepColumn, key,
            ]
        )
        try BikeNumbers(db).set(changed, key: key, by: access.caller, quotas, at: act.time)
        try Reminders(db).plan(ofBike: key, changed.upkeep, at: act.time)
        try BikeBeacons(db).record(BikeEvent(.changed, at: act.time), of: key)
        try Notices(db).tell(SearchWeakening.of(bike, to: changed), access, bike: bike.summary, by: act)
        var details: [String: String] = [:]
        if changed.buyerCheck != bike.buyerCheck { details["buyerCheck"] = changed.allowsBuyerCheck ? "on" : "off" }
        try AuditTrail(db).append(access.event(.bikeChanged, by: act, details: details))
        return changed
    }

    /// Erases a bike that is as the caller saw it, with its reports and their sightings, and notifies the owner and
    /// the members.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `changedMeanwhile`; while the bike is missing, `recoveryCodeNeeded` and
    ///   `codeUnusable`.
    package func erase(_ bike: Bike, by act: OwnerAct) throws {
        let access = try access(toUnchanged: bike, by: act.owner, needing: .owner)
        try RecoveryCodes(db).confirm(act, access, against: bike.openReport == nil ? nil : .eraseBike)
        try Notices(db).tell(.eraseBike, access, bike: bike.summary, by: act)
        try Members(db).endAll(of: access.key, bike.summary, by: act)
        try Erasures(db).erase(.bike(bike.id), at: act.time)
        try AuditTrail(db).append(
            AuditEvent(.bikeErased, by: act.principal, at: act.time, owner: act.owner, bike: bike.id))
    }

    /// The access to a bike that has not changed since the caller read it.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `changedMeanwhile`.
    func access(toUnchanged bike: Bike, by caller: OwnerID, needing needed: BikeRole) throws -> BikeAccess {
        let access = try access(to: bike.id, by: caller, needing: needed)
        guard try existing(access.key).shown(to: access.role) == bike else {
            throw DomainError.changedMeanwhile("bike")
        }
        return access
    }

    /// The bike with a key that is known to exist.
    func existing(_ key: Int64) throws -> Bike {
        guard let row = try db.row(Bikes.query + "WHERE bike.key = ?", [key]) else {
            throw DomainError.notFound("bike")
        }
        return try Bike(row)
    }

    /// Stores a bike, begins its history, and returns the key of its row.
    ///
    /// - Parameters:
    ///   - id: the owner’s identifier.
    ///   - owner: the owner’s key.
    @discardableResult
    func insert(_ bike: Bike, of id: OwnerID, owner: Int64) throws -> Int64 {
        let key = try db.insert(
            """
            INSERT INTO bike (id, owner, beacon, kind, make, model, colours, year, serial, vin, engine_number, plate,
                notes, upkeep, created)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                bike.id.blob, owner, bike.identity.blob, bike.kind.rawValue, bike.make, bike.model,
                bike.colours.map(\.rawValue).joined(separator: ","), bike.year, bike.serial, bike.vin,
                bike.engineNumber, bike.plate, bike.notes, try bike.upkeepColumn, bike.created.milliseconds,
            ]
        )
        try BeaconClaims(db).setPending(bike.pending, bike: key, at: bike.created)
        try Reminders(db).plan(ofBike: key, bike.upkeep, at: bike.created)
        try BikeBeacons(db).record(BikeEvent(.registered, at: bike.created, identity: bike.identity), of: key)
        try AuditTrail(db).append(
            AuditEvent(.bikeRegistered, by: .owner(id), at: bike.created, owner: id, bike: bike.id))
        return key
    }
}

extension Bike {
    /// Reads a row of ``Bikes/query``.
    init(_ row: StoredRow) throws {
        let details = BikeDraft(
            kind: try row.choice("kind"), make: try row["make"], model: try row["model"], colours: try row.colours(),
            year: try row["year"], serial: try row["serial"], vin: try row["vin"],
            engineNumber: try row["engine_number"], plate: try row["plate"], buyerCheck: try row["buyer_check"],
            notes: try row["notes"], upkeep: try row.upkeep()
        )
        self.init(
            id: try row.id("id"), details: details, identity: try row.identity("beacon"),
            pending: row.hasNonNull("pending") ? try PendingBeacon(row) : nil,
            openReport: row.hasNonNull("open_report") ? try row.id("open_report") : nil,
            created: try row.timestamp("created"), photo: row.hasNonNull("photo") ? try row.id("photo") : nil,
            rotation: try BeaconRotation(row), test: try BeaconTest(row), parked: try ParkedPlace(row)
        )
    }

    /// The summary of the bike for notices.
    var summary: SightingAlert.BikeSummary {
        .init(id: id, kind: details.kind, make: details.make, model: details.model)
    }
}

extension BeaconTest {
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            ends: try row.optionalTimestamp("tested_until"), heard: try row.optionalTimestamp("heard_in_test"))
    }
}

extension ParkedPlace {
    /// Nil if the owner has not said where the bike is.
    fileprivate init?(_ row: StoredRow) throws {
        guard let place = try row.place(prefix: "parked_") else { return nil }
        self.init(place: place, since: try row.optionalTimestamp("parked"))
    }
}

extension BeaconRotation {
    /// Nil for a beacon that does not rotate.
    fileprivate init?(_ row: StoredRow) throws {
        guard let checked = try row.optionalTimestamp("rotating_checked") else { return nil }
        let isUnreadable: Bool = try row["rotating_unreadable"]
        self.init(lag: try row["rotating_lag"], checked: checked, unreadable: isUnreadable ? true : nil)
    }
}

extension IdentitySource {
    fileprivate var isRotating: Bool { if case .rotating = self { true } else { false } }
}

extension StoredRow {
    /// The colours in the column colours.
    func colours() throws -> [BikeColour] { try BikeColour.colours(self["colours"]) }
}

extension BikeColour {
    /// Parses the comma-separated column of a bike's colours.
    static func colours(_ text: String) throws -> [BikeColour] {
        try text.split(at: ",").map { name in
            guard let colour = BikeColour(rawValue: String(name)) else { throw CorruptRow(column: "colours") }
            return colour
        }
    }
}
