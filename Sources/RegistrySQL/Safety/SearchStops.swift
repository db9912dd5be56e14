package import Registry
package import RegistryAPI

/// Stops of searches by an operator, as the owners of the bikes see them, and their objections.
///
/// A stop belongs to the beacon (`identity.stopped`). What is written about it belongs to the bike and the owner of that
/// time, and ends with either.
package struct SearchStops {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The stops that hold: the bike has the stopped beacon and the same owner.
    private static let query = """
        SELECT search_stop.*, bike.id AS bike_id, bike.beacon, owner.id AS owner_id FROM search_stop
        JOIN bike ON bike.key = search_stop.bike AND bike.owner = search_stop.owner
        JOIN owner ON owner.key = bike.owner
        JOIN identity ON identity.beacon = bike.beacon AND identity.stopped IS NOT NULL

        """

    func begin(ofBike bike: Int64, owner: Int64, reason: String, at time: Timestamp) throws {
        try db.run(
            "INSERT INTO search_stop (bike, owner, began, reason) VALUES (?, ?, ?, ?)",
            [bike, owner, time.milliseconds, reason])
    }

    func end(ofBike bike: Int64) throws { try db.run("DELETE FROM search_stop WHERE bike = ?", [bike]) }

    package func find(of bike: BikeID, by caller: OwnerID) throws -> SearchStop {
        try SearchStop(existing(try Bikes(db).access(to: bike, by: caller, needing: .owner).key))
    }

    /// Stores an owner's objection. There is one for each stop: a later one changes nothing.
    package func object(_ text: String, of bike: BikeID, by act: OwnerAct) throws -> SearchStop {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .owner)
        _ = try existing(access.key)
        try db.run(
            "UPDATE search_stop SET objection = ?, objected = ? WHERE bike = ? AND objected IS NULL",
            [text, act.time.milliseconds, access.key])
        if db.changesCount == 1 { try AuditTrail(db).append(access.event(.searchObjected, by: act)) }
        return try SearchStop(existing(access.key))
    }

    /// The objections that wait for an answer, in the order of the bikes' registration.
    package func page(_ page: PageRequest<BikeID>) throws -> StoredPage<StopReview, BikeID> {
        let after = page.after ?? BikeID(high: 0, low: 0)
        let sql =
            Self.query + "WHERE objected IS NOT NULL AND answered IS NULL AND bike.id > ? ORDER BY bike.id LIMIT ?"
        return try db.rows(sql, [after.blob, page.limit + 1]).map(StopReview.init)
            .page(limit: page.limit, cursor: \.bike)
    }

    /// Answers an objection, and tells the owner. A later answer changes nothing.
    package func answer(_ text: String, of bike: BikeID, by act: OperatorAct) throws -> StopReview {
        let sql = Self.query + "WHERE bike.id = ? AND objected IS NOT NULL"
        guard let row = try db.row(sql, [bike.blob]) else { throw DomainError.notFound("objection") }
        let (key, owner): (Int64, Int64) = (try row["bike"], try row["owner"])
        try db.run(
            "UPDATE search_stop SET answer = ?, answered = ? WHERE bike = ? AND answered IS NULL",
            [text, act.time.milliseconds, key])
        if db.changesCount == 1 {
            let notice = OwnerNotice(.objectionAnswered, bike: try Bikes(db).existing(key).summary, subject: text)
            try Notices(db).tell(notice, toOwner: owner, act)
            try AuditTrail(db).append(act.event(.objectionAnswered, owner: try row.id("owner_id"), bike: bike))
        }
        return try StopReview(existing(key))
    }

    private func existing(_ bike: Int64) throws -> StoredRow {
        guard let row = try db.row(Self.query + "WHERE search_stop.bike = ?", [bike]) else {
            throw DomainError.notFound("stop")
        }
        return row
    }
}

extension SearchStop {
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            stopped: try row.timestamp("began"), reason: try row["reason"], objection: try row["objection"],
            objected: try row.optionalTimestamp("objected"), answer: try row["answer"],
            answered: try row.optionalTimestamp("answered"))
    }
}

extension StopReview {
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            bike: try row.id("bike_id"), owner: try row.id("owner_id"), beacon: try row.identity("beacon"),
            stop: try SearchStop(row))
    }
}
