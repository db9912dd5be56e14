package import Beacons
import Foundation
package import RegistryAPI
package import RegistryRules

/// Rotating beacons, and the identities of their slots.
package struct RotatingBeacons {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The beacon of a bike; nil if it does not rotate.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    package func find(of bike: BikeID, for caller: OwnerID) throws -> SealedBeacon? {
        try find(ofBike: try Bikes(db).access(to: bike, by: caller, needing: .manage).key)
    }

    /// The same for a check of its clock, which is limited per day.
    ///
    /// - Throws: also `tooManyToday`.
    package func findToCheck(_ bike: BikeID, by act: OwnerAct, _ quotas: Quotas) throws -> SealedBeacon? {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .manage)
        guard let beacon = try find(ofBike: access.key) else { return nil }
        try OwnerLimits(db).noteUse(.clockChecks, by: access.caller, quotas, at: act.time)
        return beacon
    }

    /// The beacon of a bike, by the bike’s key; nil if it does not rotate.
    private func find(ofBike key: Int64) throws -> SealedBeacon? {
        let sql =
            "SELECT \(Self.columns) FROM bike JOIN rotating_beacon ON rotating_beacon.beacon = bike.beacon WHERE bike.key = ?"
        return try db.firstColumns(sql, [key]) { try SealedBeacon(&$0) }
    }

    /// Stores a beacon under a name that was taken for it. A new beacon's clock is right.
    func add(_ name: BeaconIdentity, sealed: [UInt8], at time: Timestamp) throws {
        try db.run(
            "INSERT INTO rotating_beacon (beacon, sealed, lag, checked) VALUES (?, ?, 0, ?)",
            [name.blob, sealed, time.milliseconds])
        try db.run("UPDATE identity SET rotating = 1 WHERE beacon = ?", [name.blob])
    }

    /// Deletes a beacon with its key and its slots; does nothing for a beacon that does not rotate.
    func remove(_ name: Data) throws {
        guard let key = try db.integer("SELECT key FROM rotating_beacon WHERE beacon = ?", [name]) else { return }
        try RotatingWindows(db).settle(key)
        try db.run("DELETE FROM rotating_beacon WHERE key = ?", [key])
    }

    /// The beacon of a missing bike, if slots must be stored for it; otherwise nil.
    package func withoutSlots(of bike: BikeID, at time: Timestamp) throws -> SealedBeacon? {
        let (sql, arguments) = Self.missing(bike)
        let beacon = try db.firstColumns(sql, arguments) { try SealedBeacon(&$0) }
        return beacon?.isWithoutSlots(at: time) == true ? beacon : nil
    }

    /// The beacons of missing bikes for which slots must be stored, without those that cannot be opened.
    ///
    /// - Parameters:
    ///   - start: 0, or the `next` of the part before.
    ///   - count: the number of missing bikes to look at.
    /// - Returns: `next` is nil if this is the last part.
    package func withoutSlots(
        after start: Int64, among count: Int, at time: Timestamp
    ) throws -> (beacons: [SealedBeacon], next: Int64?) {
        guard try db.exists("SELECT 1 FROM rotating_beacon LIMIT 1", []) else { return ([], nil) }
        var found: [SealedBeacon] = []
        var seen = 0
        var last = start
        try db.eachColumns(Self.missingPart, [start, count]) { columns in
            let beacon = try SealedBeacon(&columns)
            (seen, last) = (seen + 1, columns.integer())
            // Beacons that cannot be opened must not keep the others waiting.
            if !beacon.isUnreadable, beacon.isWithoutSlots(at: time) { found.append(beacon) }
        }
        return (found, seen < count ? nil : last)
    }

    /// Stores the identities of slots that are next to the stored ones; others take the place of the stored ones.
    package func store(_ slots: [DerivedSlots]) throws {
        for derived in slots where !derived.identities.isEmpty { try store(derived) }
    }

    /// Stores the slots of one beacon, unless its bike was erased meanwhile.
    private func store(_ derived: DerivedSlots) throws {
        let sql = "SELECT \(Self.columns) FROM rotating_beacon WHERE key = ?"
        guard let beacon = try db.firstColumns(sql, [derived.beacon], { try SealedBeacon(&$0) }) else { return }
        var span = derived.first...derived.first + Int64(derived.identities.count - 1)
        if let stored = beacon.stored {
            let isNext = span.lowerBound <= stored.upperBound + 1 && stored.lowerBound <= span.upperBound + 1
            if isNext {
                span = min(stored.lowerBound, span.lowerBound)...max(stored.upperBound, span.upperBound)
            } else {
                try RotatingWindows(db).settle(derived.beacon)
                try db.run("DELETE FROM rotating_slot WHERE rotating = ?", [derived.beacon])
            }
        }
        var rows: Parameters = []
        for (offset, identity) in derived.identities.enumerated() {
            rows.append(derived.beacon, derived.first + Int64(offset), identity)
        }
        try db.run(Self.insertion, rows)
        try db.run(
            "UPDATE rotating_beacon SET stored_first = ?, stored_last = ? WHERE key = ?",
            [span.lowerBound, span.upperBound, derived.beacon])
    }

    /// Beacons with old slots. Parameter: the first recent slot.
    private static let withOldSlots = "FROM rotating_beacon WHERE stored_first IS NOT NULL AND stored_first + lag < ?"

    /// The first stored slot, without regard to any lag, that is not old yet: slots are deleted together, once those of
    /// a whole refresh have passed.
    private func firstRecent(at time: Timestamp) -> Int64 {
        RotationRules.firstKept(at: time, BeaconClock(lag: 0, checked: time)) - RotationRules.refreshInterval
    }

    /// Whether ``deleteOldSlots(limit:at:)`` would delete any.
    package func hasOldSlots(at time: Timestamp) throws -> Bool {
        try db.exists("SELECT 1 \(Self.withOldSlots) LIMIT 1", [firstRecent(at: time)])
    }

    /// Deletes slots that have passed long ago, of at most this many beacons; returns the number of beacons.
    package func deleteOldSlots(limit: Int, at time: Timestamp) throws -> Int {
        let sql = "SELECT \(Self.columns) \(Self.withOldSlots) ORDER BY key LIMIT ?"
        var beacons: [SealedBeacon] = []
        try db.eachColumns(sql, [firstRecent(at: time), limit]) { beacons.append(try SealedBeacon(&$0)) }
        for beacon in beacons {
            guard let stored = beacon.stored else { continue }
            let kept = RotationRules.firstKept(at: time, beacon.clock)
            try db.run("DELETE FROM rotating_slot WHERE rotating = ? AND slot < ?", [beacon.key, kept])
            let isEmpty = kept > stored.upperBound
            try db.run(
                "UPDATE rotating_beacon SET stored_first = ?, stored_last = ? WHERE key = ?",
                [isEmpty ? nil : kept, isEmpty ? nil : stored.upperBound, beacon.key])
        }
        return beacons.count
    }

    /// Stores the lag that a check near the bike found, and notifies the owner of a large change.
    ///
    /// - Parameter lag: how many slots the beacon’s clock is behind.
    /// - Throws: `notFound`, `roleNeeded`; `beaconClockDiffers` for a large change while the bike is missing.
    package func check(_ bike: BikeID, lag: Int64, by act: OwnerAct) throws -> Bike {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .manage)
        guard let beacon = try find(ofBike: access.key) else { throw DomainError.notFound("rotating beacon") }
        // With a recording of earlier days, a thief could make the stations search for identities that are no longer
        // sent. Several small steps could do the same, so they are added up.
        let known = try db.integer("SELECT known_lag FROM rotating_beacon WHERE key = ?", [beacon.key]) ?? 0
        let weakening = SearchWeakening.of(lag: known, to: lag)
        if weakening != nil {
            let isMissing = try db.exists("SELECT 1 FROM report WHERE bike = ? AND closed IS NULL", [access.key])
            guard !isMissing else { throw DomainError.beaconClockDiffers }
            try db.run("UPDATE rotating_beacon SET known_lag = ? WHERE key = ?", [lag, beacon.key])
        }
        try db.run(
            "UPDATE rotating_beacon SET lag = ?, checked = ? WHERE key = ?", [lag, act.time.milliseconds, beacon.key])
        try SlotJudgements(db).begin(ofBike: access.key, at: act.time)
        try AuditTrail(db).append(access.event(.beaconChecked, by: act, details: ["lag": "\(lag)"]))
        let bike = try Bikes(db).existing(access.key)
        try Notices(db).tell(weakening, access, bike: bike.summary, by: act)
        return bike.shown(to: access.role)
    }

    /// The slots to which stored identities belong, with the clocks of their beacons.
    package func slots(of identities: Set<BeaconIdentity>) throws -> [BeaconIdentity: HeardSlot] {
        var found: [BeaconIdentity: HeardSlot] = [:]
        let ordered = Array(identities)
        var given: Parameters = []
        for (place, identity) in ordered.enumerated() { given.append(place, identity) }
        try db.eachColumns(Self.heard, given) { columns in
            let place = Int(columns.integer())
            found[ordered[place]] = HeardSlot(
                slot: columns.integer(),
                clock: BeaconClock(lag: columns.integer(), checked: columns.timestamp()))
        }
        return found
    }

    /// The name of the rotating beacon that sent an identity while its bike was missing; the identity itself if there is
    /// none.
    func name(of identity: BeaconIdentity) throws -> BeaconIdentity {
        let sql = """
            SELECT rotating_beacon.beacon FROM rotating_slot
            JOIN rotating_beacon ON rotating_beacon.key = rotating_slot.rotating WHERE rotating_slot.beacon = ?
            """
        return try db.row(sql, [identity])?.identity("beacon") ?? identity
    }

    /// The columns from which a ``SealedBeacon`` is read.
    static let columns = """
        rotating_beacon.key, rotating_beacon.beacon, rotating_beacon.sealed, rotating_beacon.lag,
            rotating_beacon.checked, rotating_beacon.stored_first, rotating_beacon.stored_last,
            rotating_beacon.unreadable
        """

    /// The rotating beacons of bikes with an open report.
    ///
    /// - Parameter bike: the only bike to look at; nil for all.
    static func missing(_ bike: BikeID?) -> (sql: String, arguments: Parameters) {
        bike.map { (oneMissing, [$0]) } ?? (allMissing, [])
    }

    private static let oneMissing = """
        SELECT \(columns), rotating_beacon.first_slot, rotating_beacon.last_slot
        FROM bike CROSS JOIN report CROSS JOIN rotating_beacon
        WHERE bike.id = ? AND report.bike = bike.key AND report.closed IS NULL
            AND rotating_beacon.beacon = bike.beacon
        """

    private static let allMissing = """
        SELECT \(columns), rotating_beacon.first_slot, rotating_beacon.last_slot
        FROM report CROSS JOIN bike CROSS JOIN rotating_beacon
        WHERE report.closed IS NULL AND bike.key = report.bike AND rotating_beacon.beacon = bike.beacon
        """

    /// A part of the rotating beacons of bikes with an open report, in the order of the bikes’ keys.
    private static let missingPart = """
        SELECT \(columns), report.bike FROM report CROSS JOIN bike CROSS JOIN rotating_beacon
        WHERE report.closed IS NULL AND report.bike > ? AND bike.key = report.bike
            AND rotating_beacon.beacon = bike.beacon
        ORDER BY report.bike LIMIT ?
        """

    private static let insertion = SetStatement(
        given: [("rotating", .integer), ("slot", .integer), ("beacon", .blob)],
        """
        INSERT INTO rotating_slot (rotating, slot, beacon) SELECT rotating, slot, beacon FROM given WHERE TRUE
        ON CONFLICT DO NOTHING
        """)

    private static let heard = SetStatement(
        given: [("place", .integer), ("beacon", .blob)],
        """
        SELECT given.place, rotating_slot.slot, rotating_beacon.lag, rotating_beacon.checked
        FROM given CROSS JOIN rotating_slot CROSS JOIN rotating_beacon
        WHERE rotating_slot.beacon = given.beacon AND rotating_beacon.key = rotating_slot.rotating
        """)
}

extension SealedBeacon {
    /// Whether slots must be stored for it.
    fileprivate func isWithoutSlots(at time: Timestamp) -> Bool {
        RotationRules.missing(at: time, clock, stored: stored) != nil
    }

    /// Reads ``RotatingBeacons/columns``.
    init(_ columns: inout ColumnReader) throws {
        let key = columns.integer()
        guard let name = BeaconIdentity(blob: Data(columns.blob())) else { throw CorruptRow(column: "beacon") }
        let sealed = Array(columns.blob())
        let clock = BeaconClock(lag: columns.integer(), checked: columns.timestamp())
        self.init(
            key: key, name: name, sealed: sealed, clock: clock,
            stored: ClosedRange(columns.optionalInteger(), columns.optionalInteger()), isUnreadable: columns.bool())
    }
}

extension ClosedRange<Int64> {
    /// The slots of two columns; nil if either is NULL, or if they are out of order.
    init?(_ first: Int64?, _ last: Int64?) {
        guard let first, let last, first <= last else { return nil }
        self = first...last
    }
}
