package import RegistryAPI
package import RegistryRules

/// Where owners have left their bikes.
package struct ParkedBikes {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Stores where an owner has left a bike, in place of the previous place.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `tooManyToday`.
    package func park(_ bike: BikeID, at place: Place, by act: OwnerAct, _ quotas: Quotas) throws -> Bike {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .owner)
        try OwnerLimits(db).noteUse(.parkings, by: access.owner, quotas, at: act.time)
        try set(act.time, place, of: access.key)
        return try Bikes(db).existing(access.key)
    }

    /// Forgets where an owner has left a bike.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    package func forget(_ bike: BikeID, by act: OwnerAct) throws -> Bike {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .owner)
        try forget(access.key)
        return try Bikes(db).existing(access.key)
    }

    /// Forgets where a bike was left, by the bike’s key.
    func forget(_ bike: Int64) throws { try set(nil, nil, of: bike) }

    private func set(_ time: Timestamp?, _ place: Place?, of bike: Int64) throws {
        let sql = """
            UPDATE bike SET parked = ?, parked_latitude = ?, parked_longitude = ?, parked_accuracy = ? WHERE key = ?
            """
        try db.run(sql, [time?.milliseconds, place?.latitude, place?.longitude, place?.accuracy, bike])
    }

    /// Forgets the places that owners set before a time.
    func forget(before time: Timestamp) throws {
        let sql = """
            UPDATE bike SET parked = NULL, parked_latitude = NULL, parked_longitude = NULL, parked_accuracy = NULL
            WHERE parked <= ?
            """
        try db.run(sql, [time.milliseconds])
    }
}
