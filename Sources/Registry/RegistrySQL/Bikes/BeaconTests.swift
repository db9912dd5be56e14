import Beacons
package import RegistryAPI
package import RegistryRules

/// Tests of beacons: for a short time they are on the missing list.
package struct BeaconTests {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Starts a test of a bike’s beacon, in place of the owner’s previous test. Has no effect on a missing bike or a
    /// rotating beacon.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `ownerSuspended`, `beaconStopped`, `tooManyToday`.
    package func start(of bike: BikeID, by act: OwnerAct, _ quotas: Quotas) throws -> Bike {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .owner)
        let (key, owner) = (access.key, access.owner)
        let tested = try Bikes(db).existing(key)
        // Stations already listen for a missing bike, and for a rotating beacon only while its bike is missing.
        guard tested.openReport == nil, tested.rotation == nil else { return tested }
        try Owners(db).refuseSuspended(owner)
        try refuseStopped(key)
        let ends = act.time.advanced(by: BeaconTest.length).milliseconds
        if tested.pending != nil {
            try OwnerLimits(db).noteUse(.tests, by: owner, quotas, at: act.time)
            try endAll(ofOwner: owner)
            try db.run("UPDATE beacon_claim SET test_ends = ? WHERE bike = ?", [ends, key])
        } else {
            if let wait = tested.test?.wait(at: act.time) {
                throw DomainError.tooManyToday(.hearings, retryAfter: wait)
            }
            try OwnerLimits(db).noteUse(.hearings, by: owner, quotas, at: act.time)
            try endAll(ofOwner: owner)
            try db.run("UPDATE identity SET tested_until = ? WHERE beacon = ?", [ends, tested.identity.blob])
        }
        try AuditTrail(db).append(access.event(.beaconTested, by: act))
        return try Bikes(db).existing(key)
    }

    /// Refuses a test of a beacon whose searches an operator has stopped.
    ///
    /// - Throws: `beaconStopped`.
    private func refuseStopped(_ bike: Int64) throws {
        let sql =
            "SELECT 1 FROM bike JOIN identity ON identity.beacon = bike.beacon WHERE bike.key = ? AND stopped IS NOT NULL"
        guard try !db.exists(sql, [bike]) else { throw DomainError.beaconStopped }
    }

    /// Ends all tests of an owner.
    func endAll(ofOwner owner: Int64) throws {
        try db.run(
            """
            UPDATE beacon_claim SET test_ends = NULL
            WHERE test_ends IS NOT NULL AND bike IN (SELECT key FROM bike WHERE owner = ?)
            """,
            [owner])
        try db.run(
            """
            UPDATE identity SET tested_until = NULL
            WHERE tested_until IS NOT NULL AND beacon IN (SELECT beacon FROM bike WHERE owner = ?)
            """,
            [owner])
    }

    /// Ends a test that a visit has completed. Nothing is stored about the station.
    func complete(of beacon: BeaconIdentity, at time: Timestamp) throws {
        try db.run(
            "UPDATE identity SET tested_until = NULL, heard_in_test = ? WHERE beacon = ?",
            [time.milliseconds, beacon.blob])
    }

    /// Ends a test with which a visit has proved that the beacon is the owner's, and notifies the owner.
    func complete(_ test: RunningTest, by reported: ReportedVisit) throws {
        let (identity, time) = (reported.visit.identity, reported.time)
        try BeaconClaims(db).setPending(nil, bike: test.bike, at: time)
        try complete(of: identity, at: time)
        try BikeBeacons(db).record(BikeEvent(.beaconProved, at: time, identity: identity), of: test.bike)
        try Notices(db).queue(
            OwnerNotice(.beaconProved, bike: try Bikes(db).existing(test.bike).summary), toOwner: test.owner, at: time,
            using: reported.entropy)
    }

    /// Ends the tests whose time is over.
    ///
    /// - Parameter limit: the maximum number of tests of each kind.
    /// - Returns: the number of tests that ended.
    package func end(limit: Int, at time: Timestamp) throws -> Int {
        var count = 0
        for (table, key, column) in [("beacon_claim", "bike", "test_ends"), ("identity", "beacon", "tested_until")] {
            try db.run(
                """
                UPDATE \(table) SET \(column) = NULL
                WHERE \(key) IN (SELECT \(key) FROM \(table) WHERE \(column) <= ? LIMIT ?)
                """,
                [time.milliseconds, limit])
            count += db.changesCount
        }
        return count
    }
}
