import RegistryAPI
import RegistryRules

/// The sightings of a report that are used to judge others (``SlotSighting/isWitness``), in indexes by lag.
struct SlotWitnesses {
    let db: any Transaction
    /// The report's key.
    let report: Int64

    /// A sighting as a witness before and after a change; nil for a sighting that is none.
    struct Change {
        var before: SlotSighting?
        var after: SlotSighting?
    }

    /// Stores which of these sightings are witnesses, and returns the changes.
    func store(_ rows: [SlotJudgement.Row]) throws -> [Change] {
        var before: [Int64: SlotSighting] = [:]
        try db.eachColumns(Self.query, Parameters(rows.map(\.key))) { columns in
            let key = columns.integer()
            let (slot, first) = (columns.integer(), columns.timestamp())
            before[key] = SlotSighting(
                slot: slot, firstSeen: first, lastSeen: first, timeUncertain: false, isUndisputed: true)
        }
        var changes: [Change] = []
        var stored: Parameters = []
        var removed: Parameters = []
        for row in rows {
            let change = Change(before: before[row.key], after: row.sighting.isWitness ? row.sighting : nil)
            guard change.before?.firstSeen != change.after?.firstSeen else { continue }
            changes.append(change)
            if let after = change.after {
                stored.append(
                    row.key, report, row.station, after.lag, after.slot, after.firstSeen.milliseconds
                )
            } else {
                removed.append(row.key)
            }
        }
        try db.run(Self.deletion, removed)
        try db.run(Self.insertion, stored)
        return changes
    }

    private static let query = SetStatement(
        given: [("sighting", .integer)],
        """
        SELECT slot_witness.sighting, slot_witness.slot, slot_witness.first_seen
        FROM given CROSS JOIN slot_witness WHERE slot_witness.sighting = given.sighting
        """)

    private static let deletion = SetStatement(
        given: [("sighting", .integer)],
        "DELETE FROM slot_witness WHERE sighting IN (SELECT sighting FROM given)")

    private static let insertion = SetStatement(
        given: [
            ("sighting", .integer), ("report", .integer), ("station", .integer), ("lag", .integer),
            ("slot", .integer), ("first_seen", .integer),
        ],
        """
        INSERT INTO slot_witness (sighting, report, station, lag, slot, first_seen)
        SELECT sighting, report, station, lag, slot, first_seen FROM given WHERE TRUE
        ON CONFLICT (sighting) DO UPDATE SET lag = excluded.lag, first_seen = excluded.first_seen
        """)
}
