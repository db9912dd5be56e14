import Beacons
import GRDB
public import Registry
public import RegistryAPI

extension SQLiteRegistryStore {
    public func registerBike(_ bike: NewBike, once: OnceKey?) async throws -> Bike {
        try await write { db in
            let owner = try db.key(of: bike.owner)
            if let earlier = try db.resource(of: once) {
                guard let row = try db.row(bikeQuery + "WHERE bike.id = ? AND owner = ?", [earlier, owner]) else {
                    throw DomainError.notFound("bike")
                }
                return try Bike(row)
            }
            let identity = try db.takeIdentity(for: bike)
            try db.insert(bike, identity, owner: owner)
            try db.remember(once, resource: bike.id.blob)
            return Bike(id: bike.id, details: bike.details, identity: identity, openReport: nil, created: bike.created)
        }
    }

    public func bike(_ id: BikeID, of owner: OwnerID) async throws -> Bike? {
        try await read { db in
            let condition = "WHERE bike.id = ? AND owner = (SELECT key FROM owner WHERE id = ?)"
            return try db.row(bikeQuery + condition, [id.blob, owner.blob]).map(Bike.init)
        }
    }

    public func bikes(of owner: OwnerID, _ page: PageRequest<BikeID>) async throws -> StoredPage<Bike, BikeID> {
        try await read { db in
            let condition =
                "WHERE owner = (SELECT key FROM owner WHERE id = ?) AND bike.id > ? ORDER BY bike.id LIMIT ?"
            let after = page.after ?? BikeID(high: 0, low: 0)
            return try db.rows(bikeQuery + condition, [owner.blob, after.blob, page.limit + 1])
                .map(Bike.init)
                .page(limit: page.limit, cursor: \.id)
        }
    }
}

/// A bike with its open report.
let bikeQuery = """
    SELECT bike.*, report.id AS open_report
    FROM bike LEFT JOIN report ON report.bike = bike.key AND report.closed IS NULL

    """

extension Database {
    /// Takes an identity for ever: the given one, or the next one of the region.
    func takeIdentity(for bike: NewBike) throws -> BeaconIdentity {
        let identity: BeaconIdentity
        switch bike.identity {
        case .given(let given):
            guard try !isIssued(given) else { throw DomainError.identityTaken }
            identity = given
        case .allocated(let allocation, var entropy):
            let next = try allocation.next(
                latestMajor: latestMajor(in: allocation.region),
                isIssued: isIssued,
                issuedMinors: { try issuedMinors(in: allocation.region, major: $0) },
                using: &entropy
            )
            guard let next else { throw DomainError.identitiesExhausted }
            identity = next
        }
        try run(
            "INSERT INTO identity (beacon, issued) VALUES (?, ?)", [identity.blob, bike.created.milliseconds]
        )
        return identity
    }

    private func isIssued(_ identity: BeaconIdentity) throws -> Bool {
        try exists("SELECT 1 FROM identity WHERE beacon = ?", [identity.blob])
    }

    private func latestMajor(in region: ProximityUUID) throws -> UInt16? {
        let range = [BeaconIdentity(uuid: region, major: 0, minor: 0), .init(uuid: region, major: .max, minor: .max)]
        let sql = "SELECT beacon FROM identity WHERE beacon BETWEEN ? AND ? ORDER BY beacon DESC LIMIT 1"
        return try row(sql, [range[0].blob, range[1].blob])?.identity("beacon").major
    }

    private func issuedMinors(in region: ProximityUUID, major: UInt16) throws -> [UInt16] {
        let range = [0, UInt16.max].map { BeaconIdentity(uuid: region, major: major, minor: $0).blob }
        return try rows("SELECT beacon FROM identity WHERE beacon BETWEEN ? AND ?", [range[0], range[1]])
            .map { try $0.identity("beacon").minor }
    }

    func insert(_ bike: NewBike, _ identity: BeaconIdentity, owner: Int64) throws {
        let details = bike.details
        try run(
            """
            INSERT INTO bike (id, owner, beacon, kind, make, model, colours, year, serial, vin, plate, notes, created)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                bike.id.blob, owner, identity.blob, details.kind.rawValue, details.make, details.model,
                details.colours.map(\.rawValue).joined(separator: ","), details.year, details.serial, details.vin,
                details.plate, details.notes, bike.created.milliseconds,
            ]
        )
    }
}

extension Bike {
    init(_ row: Row) throws {
        let details = BikeDraft(
            kind: try row.choice("kind"), make: row["make"], model: row["model"], colours: try row.colours(),
            year: row["year"], serial: row["serial"], vin: row["vin"], plate: row["plate"], notes: row["notes"]
        )
        self.init(
            id: try row.id("id"), details: details, identity: try row.identity("beacon"),
            openReport: row.hasNonNull("open_report") ? try row.id("open_report") : nil,
            created: row.timestamp("created")
        )
    }
}

extension Row {
    /// The comma-separated column of a bike's colours.
    func colours() throws -> [BikeColour] {
        try (self["colours"] as String).split(separator: ",").map { name in
            guard let colour = BikeColour(rawValue: String(name)) else { throw CorruptRow(column: "colours") }
            return colour
        }
    }
}
