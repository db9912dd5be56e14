import Beacons
package import RegistryAPI
import RegistryRules

/// The slots of rotating beacons that are on the missing list, in each of its versions. The slots of a beacon that are
/// listed together are its window.
package struct RotatingWindows {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Plans the windows, and notes the beacons whose windows differ; the list changes at the end of the transaction.
    ///
    /// - Parameter bike: the only bike whose window to move, even if no refresh is due; nil for all.
    /// - Returns: the number of windows that move.
    package func move(of bike: BikeID?, at time: Timestamp) throws -> Int {
        let (moved, count) = try windowsToMove(of: bike, at: time)
        try db.run(Self.plan, moved)
        try db.run(Self.touch, moved)
        guard bike == nil else { return count }
        let refresh = RotationRules.refresh(at: time)
        // Also backwards, if the clock was ahead.
        try db.run("UPDATE rotation SET refresh = ? WHERE refresh <> ?", [refresh, refresh])
        return count
    }

    /// Whether ``move(of:at:)`` would change anything.
    package func mustMove(of bike: BikeID?, at time: Timestamp) throws -> Bool {
        try windowsToMove(of: bike, at: time).count > 0
    }

    /// The windows to move, as rows for the statements below, and their number.
    private func windowsToMove(of bike: BikeID?, at time: Timestamp) throws -> (windows: Parameters, count: Int) {
        var moved: Parameters = []
        var count = 0
        // Most registries have none at first, and the statement below goes through all open reports.
        guard try db.exists("SELECT 1 FROM rotating_beacon LIMIT 1", []) else { return (moved, 0) }
        let isDue =
            try bike != nil || db.integer("SELECT refresh FROM rotation", []) != RotationRules.refresh(at: time)
        let (sql, arguments) = RotatingBeacons.missing(bike)
        try db.eachColumns(sql, arguments) { columns in
            let beacon = try SealedBeacon(&columns)
            let former = ClosedRange(columns.optionalInteger(), columns.optionalInteger())
            let window = RotationRules.window(at: time, beacon.clock)
            let isWanted = isDue || former == nil || former?.overlaps(window) == false
            guard isWanted, former != window, let stored = beacon.stored else { return }
            let isStored = stored.lowerBound <= window.lowerBound && window.upperBound <= stored.upperBound
            guard isStored else { return }
            moved.append(beacon.key, beacon.name, window.lowerBound, window.upperBound)
            count += 1
        }
        return (moved, count)
    }

    private static let moved: SetStatement.Columns = [
        ("rotating", .integer), ("beacon", .blob), ("first_slot", .integer), ("last_slot", .integer),
    ]
    private static let plan = SetStatement(
        given: moved,
        """
        UPDATE rotating_beacon SET first_slot = given.first_slot, last_slot = given.last_slot
        FROM given WHERE rotating_beacon.key = given.rotating
        """)
    private static let touch = SetStatement(
        given: moved,
        "INSERT INTO missing_list_touched (beacon) SELECT beacon FROM given WHERE TRUE ON CONFLICT DO NOTHING")

    /// Gives the next version of the list the windows of the touched beacons that differ from the listed ones.
    ///
    /// - Parameter isListed: the condition under which a beacon of `missing_list_touched` belongs on the list.
    /// - Returns: whether any window differs.
    func advance(_ isListed: String) throws -> Bool {
        guard try db.exists("SELECT 1 FROM \(Self.touched)", []) else { return false }
        // A later report must not begin with the window of an earlier one.
        try db.run(
            """
            UPDATE rotating_beacon SET first_slot = NULL, last_slot = NULL
            WHERE first_slot IS NOT NULL AND beacon IN (SELECT beacon FROM missing_list_touched) AND NOT EXISTS (
                SELECT 1 FROM bike JOIN report ON report.bike = bike.key AND report.closed IS NULL
                WHERE bike.beacon = rotating_beacon.beacon
            )
            """,
            [])
        try db.run(
            """
            INSERT INTO rotating_window (rotating, version, first_slot, last_slot)
            SELECT key, (SELECT version + 1 FROM missing_list), wanted_first, wanted_last
            FROM (
                SELECT rotating_beacon.key, listed_first, listed_last,
                    CASE WHEN \(isListed) THEN first_slot END AS wanted_first,
                    CASE WHEN \(isListed) THEN last_slot END AS wanted_last
                FROM \(Self.touched)
            ) AS wanted
            WHERE wanted_first IS DISTINCT FROM listed_first OR wanted_last IS DISTINCT FROM listed_last
            """,
            [])
        guard db.changesCount > 0 else { return false }
        try db.run(
            """
            UPDATE rotating_beacon SET listed_first = listed.first_slot, listed_last = listed.last_slot
            FROM rotating_window AS listed
            WHERE listed.version = (SELECT version + 1 FROM missing_list) AND rotating_beacon.key = listed.rotating
            """,
            [])
        return true
    }

    private static let touched =
        "missing_list_touched JOIN rotating_beacon ON rotating_beacon.beacon = missing_list_touched.beacon"

    /// The identities of all windows.
    func identities() throws -> [BeaconIdentity] {
        let sql = """
            SELECT rotating_slot.beacon FROM rotating_beacon CROSS JOIN rotating_slot
            WHERE listed_first IS NOT NULL AND rotating_slot.rotating = rotating_beacon.key
                AND rotating_slot.slot BETWEEN listed_first AND listed_last
            """
        var identities: [BeaconIdentity] = []
        try db.eachColumns(sql, []) { identities.append(try $0.identity()) }
        return identities
    }

    /// The identities that came and went between two versions; nil if some of them are no longer stored.
    ///
    /// - Parameters:
    ///   - start: the number of the version that the caller has.
    ///   - end: the number of the last version.
    func changes(from start: Int64, to end: Int64) throws -> (added: [BeaconIdentity], removed: [BeaconIdentity])? {
        var spans: Parameters = []
        var expected: Int64 = 0
        try db.eachColumns(Self.changed, [start, end]) { columns in
            let beacon = columns.integer()
            let after = ClosedRange(columns.optionalInteger(), columns.optionalInteger())
            let before = ClosedRange(columns.optionalInteger(), columns.optionalInteger())
            for change in Self.slotChanges(from: before, to: after) {
                spans.append(beacon, change.slots.lowerBound, change.slots.upperBound, change.isListed)
                expected += change.count
            }
        }
        var (added, removed): ([BeaconIdentity], [BeaconIdentity]) = ([], [])
        try db.eachColumns(Self.slots, spans) { columns in
            if columns.bool() { added.append(try columns.identity()) } else { removed.append(try columns.identity()) }
        }
        return Int64(added.count + removed.count) == expected ? (added, removed) : nil
    }

    /// Slots that join or leave the list.
    private struct SlotChange {
        let isListed: Bool
        let slots: ClosedRange<Int64>
        /// The number of slots.
        var count: Int64 { slots.upperBound - slots.lowerBound + 1 }
    }

    /// The slots that join and leave the list when one window takes the place of another; nil stands for no window.
    private static func slotChanges(
        from before: ClosedRange<Int64>?, to after: ClosedRange<Int64>?
    ) -> [SlotChange] {
        let joining = after?.parts(without: before) ?? []
        let leaving = before?.parts(without: after) ?? []
        return joining.map { SlotChange(isListed: true, slots: $0) }
            + leaving.map { SlotChange(isListed: false, slots: $0) }
    }

    /// The windows that changed between two versions: each beacon's last window then, and the one before.
    private static let changed = """
        SELECT changed.rotating, later.first_slot, later.last_slot, earlier.first_slot, earlier.last_slot
        FROM (
            SELECT rotating, max(version) AS latest FROM rotating_window WHERE version > ?1 AND version <= ?2
            GROUP BY rotating
        ) AS changed
        JOIN rotating_window AS later ON later.rotating = changed.rotating AND later.version = changed.latest
        LEFT JOIN rotating_window AS earlier ON earlier.rotating = changed.rotating AND earlier.version = (
            SELECT max(version) FROM rotating_window AS older
            WHERE older.rotating = changed.rotating AND older.version <= ?1
        )
        """

    private static let slots = SetStatement(
        given: [("rotating", .integer), ("first", .integer), ("last", .integer), ("added", .integer)],
        """
        SELECT given.added, rotating_slot.beacon FROM given CROSS JOIN rotating_slot
        WHERE rotating_slot.rotating = given.rotating AND rotating_slot.slot BETWEEN given.first AND given.last
        """)

    /// Deletes the windows of versions that the journal has forgotten: all but the last one up to a version.
    func forget(upTo version: Int64) throws {
        try db.run(
            """
            DELETE FROM rotating_window
            WHERE version <= ?1 AND (first_slot IS NULL OR EXISTS (
                SELECT 1 FROM rotating_window AS later
                WHERE later.rotating = rotating_window.rotating AND later.version > rotating_window.version
                    AND later.version <= ?1
            ))
            """,
            [version])
    }

    /// Replaces the journal's references to a beacon's slots, which are about to be deleted, by the identities
    /// themselves. Otherwise all stations would have to get the full list.
    ///
    /// Successive windows are merged into the differences between them, the latest first. If these are more than
    /// ``mostSettled``, the journal forgets the versions before: only stations that have not been online since then get
    /// the full list.
    func settle(_ beacon: Int64) throws {
        let sql = """
            SELECT version, first_slot, last_slot FROM rotating_window WHERE rotating = ? ORDER BY version DESC LIMIT ?
            """
        var windows: [(version: Int64, slots: ClosedRange<Int64>?)] = []
        // Each window differs from the one before by a slot at least.
        try db.eachColumns(sql, [beacon, Self.mostSettled + 1]) { columns in
            windows.append((columns.integer(), ClosedRange(columns.optionalInteger(), columns.optionalInteger())))
        }
        guard let last = windows.first else { return }
        if last.slots != nil, let next = try db.integer("SELECT version + 1 FROM missing_list", []) {
            windows.insert((next, nil), at: 0)
        }
        let start = try db.integer("SELECT min(number) FROM missing_list_version", []) ?? 0
        var spans: Parameters = []
        var rows: Int64 = 0
        for (index, window) in windows.enumerated() where window.version > start {
            let before = index + 1 < windows.count ? windows[index + 1].slots : nil
            let changes = Self.slotChanges(from: before, to: window.slots)
            rows += changes.reduce(0) { $0 + $1.count }
            guard rows <= Self.mostSettled else {
                try db.run("DELETE FROM missing_list_version WHERE number < ?", [window.version])
                break
            }
            for change in changes {
                spans.append(
                    window.version, change.isListed, beacon, change.slots.lowerBound, change.slots.upperBound)
            }
        }
        try db.run(Self.settling, spans)
        try db.run("DELETE FROM rotating_window WHERE rotating = ?", [beacon])
        try db.run("UPDATE rotating_beacon SET listed_first = NULL, listed_last = NULL WHERE key = ?", [beacon])
    }

    /// The greatest number of identities that are settled, so that one deletion writes a limited number of rows.
    ///
    /// A window changes with each opening and closing of a report (190 identities, or 696 a long time after the last
    /// check), with each check of the clock (at most twice as many) and with each refresh (twice 21, four times a day).
    /// This is enough for 260 openings and closings: with the usual ``DailyUse/reports``, an owner needs more than six
    /// days for these, and an owner with the maximum number of members half a day.
    private static let mostSettled = 50_000

    private static let settling = SetStatement(
        given: [
            ("version", .integer), ("listed", .integer), ("rotating", .integer), ("first", .integer),
            ("last", .integer),
        ],
        """
        INSERT INTO missing_list_change (version, beacon, listed)
        SELECT given.version, rotating_slot.beacon, given.listed FROM given CROSS JOIN rotating_slot
        WHERE rotating_slot.rotating = given.rotating AND rotating_slot.slot BETWEEN given.first AND given.last
        ON CONFLICT DO NOTHING
        """)
}

extension ClosedRange<Int64> {
    /// The parts that another range does not cover.
    fileprivate func parts(without other: ClosedRange?) -> [ClosedRange] {
        guard let other, other.overlaps(self) else { return [self] }
        var parts: [ClosedRange] = []
        if lowerBound < other.lowerBound { parts.append(lowerBound...other.lowerBound - 1) }
        if other.upperBound < upperBound { parts.append(other.upperBound + 1...upperBound) }
        return parts
    }
}
