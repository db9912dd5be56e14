import Beacons
import Evidence
import Foundation
import RegistryAPI
import RegistryRules

/// A stored sighting and the audit's commitment to it.
struct RecordedSighting {
    /// The sighting's key.
    let key: Int64
    /// The salt of the commitment; nil for a sighting that was never recorded.
    let salt: [UInt8]?
    /// The index of the audit's entry; nil for a sighting that was never recorded.
    let entry: Int64?
    /// The record that the entry commits to, or would commit to if there were one.
    let record: SightingRecord
    /// The same without the slot of a rotating beacon, which earlier versions did not record; nil if it has none.
    let recordWithoutSlot: SightingRecord?
    /// The identity that was heard. For a rotating beacon, ``slot`` is the slot that it belongs to.
    let beacon: BeaconIdentity
    let slot: Int64?
    /// The current contents of the sighting.
    let current: SightingRecord
    /// The time since which the sighting contains more than the record; nil if both agree.
    let grown: Timestamp?
    /// Whether the row holds the recorded contents in addition to the current ones.
    let hasGrown: Bool
    /// Whether the changes since the record are limited to the permitted growth of an ongoing visit. An ended visit
    /// cannot grow.
    let hasGrownRightly: Bool

    /// The record, as an evidence pack contains it, in each form that the entry may commit to.
    var committed: [CommittedRecord] {
        guard let salt, let entry else { return [] }
        return [record, recordWithoutSlot].compactMap(\.self).map {
            CommittedRecord(entry: entry, salt: Hexadecimal.text(salt), record: $0)
        }
    }

    /// Sightings with the identifiers that a record names.
    static let query = """
        SELECT sighting.*, station.id AS station_id, station.partner IS NOT NULL AS is_foreign, report.id AS report_id,
            bike.id AS bike_id, owner.id AS owner_id
        FROM sighting JOIN station ON station.key = sighting.station JOIN report ON report.key = sighting.report
            JOIN bike ON bike.key = report.bike JOIN owner ON owner.key = bike.owner

        """

    /// Reads a row of ``query``.
    init(_ row: StoredRow) throws {
        try self.init(KnownSighting(row), station: row.id("station_id"), report: row.id("report_id"))
    }

    /// - Parameters:
    ///   - station: the identifier of the station that reported it.
    ///   - report: the identifier of its report.
    init(_ known: KnownSighting, station: StationID, report: ReportID) throws {
        let visit = known.visit
        func record(_ visit: Visit, slot: Int64?) -> SightingRecord {
            SightingRecord(visit, slot: slot, station: station, report: report, received: known.received)
        }
        (key, salt, entry, grown) = (known.key, known.salt, known.entry, known.grown)
        (beacon, slot) = (visit.identity, known.slot)
        current = record(visit, slot: known.slot)
        var before = visit
        if let text = known.recorded {
            guard let growth = Growth(text) else { throw CorruptRow(column: "recorded") }
            before = visit.limited(to: growth)
            hasGrown = true
            hasGrownRightly = grown != nil && !visit.ended && before.merged(with: visit) == visit
        } else {
            (hasGrown, hasGrownRightly) = (false, grown == nil)
        }
        self.record = record(before, slot: known.slot)
        recordWithoutSlot = known.slot == nil ? nil : record(before, slot: nil)
    }
}

/// Renews the audit's records of sightings whose visits have lasted longer since.
package struct RecordedSightings {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Commits the audit to the current contents of sightings whose visits have lasted longer.
    ///
    /// A sighting that differs from its record is left for `audit verify` to find, and is not due again, because a new
    /// entry would make it look valid.
    ///
    /// - Parameter condition: the sightings, as the end of ``RecordedSighting/query``.
    /// - Returns: the number of sightings.
    func recordGrowth(_ condition: String, _ arguments: Parameters, at time: Timestamp) throws -> Int {
        let rows = try db.rows(RecordedSighting.query + condition, arguments)
        var index = try AuditTrail(db).nextIndex()
        var events: [AuditEvent] = []
        for row in rows {
            guard let sighting = try? RecordedSighting(row), let salt = sighting.salt,
                try CommittedContents(db).isAsRecorded(sighting)
            else {
                try db.run("UPDATE sighting SET grown = NULL WHERE key = ?", [try row["key"] as Int64])
                continue
            }
            try db.run(
                "UPDATE sighting SET salt = ?, entry = ?, recorded = NULL, grown = NULL WHERE key = ?",
                [salt, index, sighting.key]
            )
            index += 1
            let visit: VisitID = try row.id("visit")
            let report = try row["is_foreign"] ? try PartnerStatements(db).find(sighting.key) : nil
            events.append(
                AuditEvent(
                    .sightingChanged, by: nil, at: time, owner: try row.id("owner_id"), bike: try row.id("bike_id"),
                    report: try row.id("report_id"), station: try row.id("station_id"),
                    details: SightingRecord.details(of: visit, sighting.current.digest(salt: salt), report)
                )
            )
        }
        try AuditTrail(db).append(events)
        return rows.count
    }
}
