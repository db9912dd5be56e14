import Beacons
import Foundation
package import RegistryAPI
package import RegistryRules

/// Stops of searches by an operator, as the owners of the bikes see them, and their objections.
///
/// A stop belongs to the beacon, regardless of its owner and bike. The texts about it also belong to the owner: the
/// beacon's next owner cannot read them, but can object again, unless the stop has had all its objections.
package struct SearchStops {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    private static let columns = """
        reason, objection, objected, answer, answered, identity.stopped, identity.objections, bike.beacon,
        bike.id AS bike_id, bike.owner AS owner_key, owner.id AS owner_id
        """
    /// The current stops, with the texts about them.
    private static let query = """
        SELECT \(columns) FROM bike JOIN owner ON owner.key = bike.owner
        JOIN identity ON identity.beacon = bike.beacon AND identity.stopped IS NOT NULL
        LEFT JOIN search_stop ON search_stop.beacon = bike.beacon AND search_stop.owner = bike.owner

        """
    /// The stops with an objection that waits for an answer.
    static let waiting = """
        SELECT \(columns) FROM search_stop
        JOIN bike ON bike.beacon = search_stop.beacon AND bike.owner = search_stop.owner
        JOIN owner ON owner.key = bike.owner
        JOIN identity ON identity.beacon = bike.beacon AND identity.stopped IS NOT NULL
        WHERE objected IS NOT NULL AND answered IS NULL
        """

    /// Stores the reason for a stop, for the owner whose bike has the beacon.
    ///
    /// - Parameter owner: the owner’s key.
    func begin(for beacon: BeaconIdentity, owner: Int64, reason: String) throws {
        try db.run(
            "INSERT INTO search_stop (beacon, owner, reason) VALUES (?, ?, ?)", [beacon.blob, owner, reason])
    }

    /// Deletes the texts about a stop that has ended.
    func end(for beacon: Data) throws { try db.run("DELETE FROM search_stop WHERE beacon = ?", [beacon]) }

    /// The stop of a bike’s beacon, as its owner reads it.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    package func find(of bike: BikeID, by caller: OwnerID) throws -> SearchStop {
        try SearchStop(existing(try Bikes(db).access(to: bike, by: caller, needing: .owner).key))
    }

    /// The same by the bike’s key; nil if the beacon is not stopped.
    func find(ofBike key: Int64) throws -> SearchStop? {
        try db.row(Self.query + "WHERE bike.key = ?", [key]).map(SearchStop.init)
    }

    /// Stores an owner's objection. A later one by the same owner changes nothing.
    ///
    /// - Throws: `notFound`, `roleNeeded`; `objectionsUsedUp` if other owners have made the objections to this stop.
    package func object(_ text: String, of bike: BikeID, by act: OwnerAct) throws -> SearchStop {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .owner)
        let stop = try existing(access.key)
        guard !stop.hasNonNull("objected") else { return try SearchStop(stop) }
        guard try stop.objectionsMade < SearchStop.mostObjections else { throw DomainError.objectionsUsedUp }
        let beacon: Data = try stop["beacon"]
        try db.run("UPDATE identity SET objections = objections + 1 WHERE beacon = ?", [beacon])
        try db.run(
            """
            INSERT INTO search_stop (beacon, owner, objection, objected) VALUES (?, ?, ?, ?)
            ON CONFLICT (beacon) DO UPDATE SET objection = excluded.objection, objected = excluded.objected,
                reason = CASE WHEN search_stop.owner = excluded.owner THEN search_stop.reason END,
                answer = NULL, answered = NULL, owner = excluded.owner
            """,
            [beacon, try stop["owner_key"] as Int64, text, act.time.milliseconds])
        try AuditTrail(db).append(access.event(.searchObjected, by: act))
        return try SearchStop(existing(access.key))
    }

    /// The objections that wait for an answer, in the order of the bikes' registration.
    package func page(_ page: PageRequest<BikeID>) throws -> StoredPage<StopReview, BikeID> {
        let after = page.after ?? BikeID(high: 0, low: 0)
        let sql = Self.waiting + " AND bike.id > ? ORDER BY bike.id LIMIT ?"
        return try db.rows(sql, [after.blob, page.limit + 1]).map(StopReview.init)
            .page(limit: page.limit, cursor: \.bike)
    }

    /// Answers an objection, and notifies the owner. A later answer changes nothing.
    package func answer(_ text: String, of bike: BikeID, by act: OperatorAct) throws -> StopReview {
        let sql = Self.query + "WHERE bike.id = ? AND objected IS NOT NULL"
        guard let row = try db.row(sql, [bike.blob]) else { throw DomainError.notFound("objection") }
        try db.run(
            "UPDATE search_stop SET answer = ?, answered = ? WHERE beacon = ? AND answered IS NULL",
            [text, act.time.milliseconds, try row["beacon"] as Data])
        if db.changesCount == 1 {
            let summary = try db.row(Bikes.query + "WHERE bike.id = ?", [bike.blob])?.summary()
            let notice = OwnerNotice(.objectionAnswered, bike: summary, subject: text)
            try Notices(db).tell(notice, toOwner: try row["owner_key"], act)
            try AuditTrail(db).append(act.event(.objectionAnswered, owner: try row.id("owner_id"), bike: bike))
        }
        guard let answered = try db.row(sql, [bike.blob]) else { throw DomainError.notFound("objection") }
        return try StopReview(answered)
    }

    /// The row of a stop.
    ///
    /// - Throws: `notFound`.
    private func existing(_ bike: Int64) throws -> StoredRow {
        guard let row = try db.row(Self.query + "WHERE bike.key = ?", [bike]) else {
            throw DomainError.notFound("stop")
        }
        return row
    }
}

extension StoredRow {
    /// The number of objections to the row's stop, by all owners.
    fileprivate var objectionsMade: Int64 { get throws { try self["objections"] } }
}

extension SearchStop {
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            stopped: try row.timestamp("stopped"), reason: try row["reason"], objection: try row["objection"],
            objected: try row.optionalTimestamp("objected"), answer: try row["answer"],
            answered: try row.optionalTimestamp("answered"),
            exhausted: try row.objectionsMade >= SearchStop.mostObjections ? true : nil)
    }
}

extension StopReview {
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            bike: try row.id("bike_id"), owner: try row.id("owner_id"), beacon: try row.identity("beacon"),
            stop: try SearchStop(row))
    }
}
