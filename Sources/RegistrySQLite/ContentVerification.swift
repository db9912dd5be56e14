import Evidence
import Foundation
import GRDB
import Registry
import RegistryAPI

/// Compares with the audit's entries what they commit to: erasures, sightings and stations' places.
///
/// The entries come in the order of the chain, each once it was found right.
struct ContentVerification {
    private let db: Database
    private var contents = AuditVerification.Contents()
    /// Erasures whose entry was found right.
    private var erasures: Set<Int64> = []
    /// The entry with which records began, and the last sighting without one; 0 where there were records from the start.
    private let beginning: Int64
    private var lastUnrecorded: Int64 = 0
    private var hasRecords = false
    /// Reports of which sightings are gone, with one of them.
    private var gone: [ReportID: VisitID] = [:]

    init(db: Database) throws {
        self.db = db
        let sql = "SELECT min(key) FROM audit WHERE action = ?"
        beginning = try db.integer(sql, [AuditAction.recordsBegun.rawValue]) ?? 0
    }

    mutating func follow(_ entry: AuditEntry) throws {
        guard let event = entry.event else { return try followErased(entry) }
        switch event.action {
        case AuditAction.sightingStored.rawValue, AuditAction.sightingChanged.rawValue:
            guard entry.index > beginning else { return }
            hasRecords = true
            try followSighting(entry.index, event)
        case AuditAction.recordsBegun.rawValue where entry.index == beginning:
            // One that was appended later would make whatever is there a sighting of before.
            guard !hasRecords else { throw ChainWalk.Fault.changed(index: entry.index) }
            lastUnrecorded = event.details[Database.last].flatMap { Int64($0) } ?? 0
        case AuditAction.sightingsDeleted.rawValue:
            if let report = event.report { gone[report] = nil }
        default:
            // Before, entries told of places that did not know of the entries.
            guard entry.index > beginning, let place = event.surveyedPlace else { return }
            let sql = """
                SELECT 1 FROM station_place JOIN station ON station.key = station_place.station
                WHERE station.id = ? AND station_place.entry = ?
                """
            guard try db.exists(sql, [place.station, entry.index]) else {
                throw ChainWalk.Fault.changedPlace(place.station)
            }
        }
    }

    /// That an erasure says that it emptied exactly this entry and the others that say so.
    private mutating func followErased(_ entry: AuditEntry) throws {
        guard let index = entry.erasedBy, index > entry.index else { throw ChainWalk.Fault.emptied(index: entry.index) }
        guard erasures.insert(index).inserted else { return }
        let proof = try db.erasureProof("WHERE erasure = ?", [index])
        guard let erasure = try db.row("SELECT * FROM audit WHERE key = ?", [index]).map(AuditEntry.init),
            proof.isCommitted(by: erasure)
        else { throw ChainWalk.Fault.emptied(index: entry.index) }
        if erasure.event?.details[Database.cause] == Database.upgrade { contents.unexplained += Int64(proof.count) }
    }

    /// That the sighting is there, unless a later entry says that it was deleted, and knows of this entry or a later one.
    private mutating func followSighting(_ index: Int64, _ event: AuditEntry.Event) throws {
        guard let visit = event.details["sighting"].flatMap(VisitID.init), let station = event.station,
            let report = event.report
        else { throw ChainWalk.Fault.changed(index: index) }
        let sql = """
            SELECT sighting.* FROM sighting JOIN station ON station.key = sighting.station
                JOIN report ON report.key = sighting.report
            WHERE station.id = ? AND sighting.visit = ? AND report.id = ?
            """
        guard let row = try db.row(sql, [station, visit, report]) else {
            gone[report] = visit
            return
        }
        guard let latest: Int64 = try row["entry"], latest >= index else {
            throw ChainWalk.Fault.changedSighting(visit)
        }
    }

    /// Looks at all sightings and places, after the last entry.
    mutating func finish() throws -> AuditVerification.Contents {
        if let visit = gone.values.min() { throw ChainWalk.Fault.missingSighting(visit) }
        try db.eachRow(RecordedSighting.query, []) { try check($0) }
        let places = """
            SELECT station.id AS station_id, station_place.* FROM station_place
            JOIN station ON station.key = station_place.station WHERE entry IS NOT NULL
            """
        try db.eachRow(places, []) { try checkPlace($0) }
        return contents
    }

    private mutating func check(_ row: Row) throws {
        let visit: VisitID = try row.id("visit")
        guard let sighting = try? RecordedSighting(row) else { throw ChainWalk.Fault.changedSighting(visit) }
        guard sighting.entry != nil else {
            guard sighting.key <= lastUnrecorded else { throw ChainWalk.Fault.missingSighting(visit) }
            contents.unrecorded += 1
            return
        }
        guard let record = sighting.committed, let entry = try entry(record.entry), record.isCommitted(by: entry) else {
            throw ChainWalk.Fault.changedSighting(visit)
        }
        contents.sightings += 1
        if row.hasNonNull("recorded") { contents.growing += 1 }
    }

    private func checkPlace(_ row: Row) throws {
        let station: StationID = try row.id("station_id")
        let event = try entry(row["entry"])?.event
        let since: Int64 = try row["since"]
        // The first place holds from the beginning of time, and its entry names none.
        let told = event?.details["since"] ?? Timestamp(milliseconds: 0).description
        guard let surveyed = event?.surveyedPlace, surveyed.station == station, try surveyed.place == row.place(),
            told == Timestamp(milliseconds: since).description
        else { throw ChainWalk.Fault.changedPlace(station) }
    }

    /// An entry that says what its commitment was made over.
    private func entry(_ index: Int64) throws -> AuditEntry? {
        guard let entry = try db.row("SELECT * FROM audit WHERE key = ?", [index]).map(AuditEntry.init),
            entry.computedCommitment == HashValue(entry.commitment)
        else { return nil }
        return entry
    }
}
