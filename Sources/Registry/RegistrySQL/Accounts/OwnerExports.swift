package import RegistryAPI
package import RegistryRules

/// Everything that the registry stores about an owner, in pages for ``OwnerExport``. Bikes and reports come without
/// their lists, which have pages of their own.
package struct OwnerExports {
    let db: any Transaction
    /// The owner's key.
    let owner: Int64
    /// The owner’s identifier.
    let id: OwnerID

    /// - Throws: `notFound` if the account is erased.
    package init(_ db: any Transaction, of owner: OwnerID) throws {
        self.db = db
        id = owner
        self.owner = try Owners(db).key(of: owner)
    }

    /// The bikes of others of which the owner is a member.
    package func memberships() throws -> [Membership] { try Members(db).memberships(of: owner) }

    /// The owner’s bikes, without their history and reports.
    package func bikes(
        at time: Timestamp, _ page: PageRequest<BikeID>
    ) throws -> StoredPage<OwnerExport.ExportedBike, BikeID> {
        let sql = Bikes.query + "WHERE owner = ? AND bike.beacon IS NOT NULL AND bike.id > ? ORDER BY bike.id LIMIT ?"
        return try db.rows(sql, [owner, (page.after ?? .first).blob, page.limit + 1])
            .map { row in
                let key: Int64 = try row["key"]
                return OwnerExport.ExportedBike(
                    bike: try Bike(row), history: [], reports: [], photos: try PhotoRows(db).photos(of: key),
                    members: try Members(db).all(of: key, seenBy: owner),
                    invitations: try MemberInvitations(db).all(of: key, at: time),
                    sticker: try Stickers(db).find(of: key), stop: try SearchStops(db).find(ofBike: key))
            }
            .page(limit: page.limit, cursor: \.bike.id)
    }

    /// The records that keep the owner’s reports of bikes that were handed over.
    package func formerBikes(_ page: PageRequest<BikeID>) throws -> StoredPage<BikeID, BikeID> {
        let sql = "SELECT id FROM bike WHERE owner = ? AND beacon IS NULL AND id > ? ORDER BY id LIMIT ?"
        return try db.rows(sql, [owner, (page.after ?? .first).blob, page.limit + 1])
            .map { try $0.id("id") }
            .page(limit: page.limit, cursor: \.self)
    }

    /// The history of a bike, the oldest event first; empty if the bike is no longer the owner’s.
    package func history(of bike: BikeID, _ page: PageRequest<Int64>) throws -> StoredPage<BikeEvent, Int64> {
        guard let bike = try key(of: bike) else { return .empty }
        let sql = BikeBeacons.events + "WHERE bike = ? AND key > ? ORDER BY key LIMIT ?"
        return try keyed(try db.rows(sql, [bike, page.after ?? 0, page.limit + 1]), page.limit) { try BikeEvent($0) }
    }

    /// The reports of a bike, without their sightings; empty if the bike is no longer the owner’s.
    package func reports(
        on bike: BikeID, _ page: PageRequest<ReportID>
    ) throws -> StoredPage<OwnerExport.ExportedReport, ReportID> {
        guard let key = try key(of: bike) else { return .empty }
        let sql = Reports.query + "WHERE bike = ? AND id > ? ORDER BY id LIMIT ?"
        return try db.rows(sql, [key, (page.after ?? .first).blob, page.limit + 1])
            .map { row in
                OwnerExport.ExportedReport(
                    report: try MissingReport(row, bike: bike), sightings: [],
                    shares: try Shares(db).all(of: try row["key"]))
            }
            .page(limit: page.limit, cursor: \.report.id)
    }

    /// The sightings of a report, in the order in which they were stored; empty if the report is not the owner’s.
    package func sightings(of report: ReportID, _ page: PageRequest<Int64>) throws -> StoredPage<Sighting, Int64> {
        let sql = "SELECT report.key FROM report JOIN bike ON bike.key = report.bike WHERE report.id = ? AND owner = ?"
        guard let key = try db.integer(sql, [report.blob, owner]) else { return .empty }
        let rows = try db.rows(Sighting.page[db.dialect], [key, page.after ?? 0, page.limit + 1])
        return try keyed(rows, page.limit, Sightings(db).current(of: report, key))
    }

    /// The conversations about a bike, with all messages; empty if the bike is no longer the owner’s.
    package func conversations(of bike: BikeID, _ page: PageRequest<Int64>) throws -> StoredPage<Conversation, Int64> {
        guard let bike = try key(of: bike) else { return .empty }
        let sql = "SELECT * FROM conversation WHERE bike = ? AND key > ? ORDER BY key LIMIT ?"
        let rows = try db.rows(sql, [bike, page.after ?? 0, page.limit + 1])
        return try keyed(rows, page.limit) { try Conversations(db).full($0, for: .owner) }
    }

    /// The audit’s events about the owner, in the order of the chain, without erased ones.
    package func activity(_ page: PageRequest<Int64>) throws -> StoredPage<AuditEntry.Event, Int64> {
        let sql = "SELECT * FROM audit WHERE owner = ? AND key > ? ORDER BY key LIMIT ?"
        let found = try keyed(try db.rows(sql, [id.blob, page.after ?? 0, page.limit + 1]), page.limit) {
            try AuditEntry($0).event?.withoutTestingStation
        }
        return StoredPage(items: found.items.compactMap(\.self), next: found.next)
    }

    /// The key of a bike that is the owner's now; nil if it is not.
    private func key(of bike: BikeID) throws -> Int64? {
        try db.integer("SELECT key FROM bike WHERE id = ? AND owner = ?", [bike.blob, owner])
    }

    /// A page of rows in the order of their keys, from one row more than its limit.
    private func keyed<Item: Sendable>(
        _ rows: [StoredRow], _ limit: Int, _ item: (StoredRow) throws -> Item
    ) throws -> StoredPage<Item, Int64> {
        let page = try rows.map { try $0["key"] as Int64 }.page(limit: limit, cursor: \.self)
        return StoredPage(items: try rows.prefix(limit).map(item), next: page.next)
    }
}

extension AuditEntry.Event {
    /// The event without the station that heard a beacon in a test: a test reveals only when, never where (record 62).
    fileprivate var withoutTestingStation: Self {
        guard action == AuditAction.beaconProved.rawValue else { return self }
        var event = self
        (event.principal, event.station) = (nil, nil)
        return event
    }
}

extension ResourceID {
    /// An identifier that precedes every issued one.
    fileprivate static var first: Self { Self(high: 0, low: 0) }
}

extension StoredPage {
    fileprivate static var empty: Self { Self(items: [], next: nil) }
}
