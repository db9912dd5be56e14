import Evidence
import Registry
import RegistryAPI

/// The entry with which an upgraded database begins to record the contents of sightings and places (`records.begun`),
/// and the sightings and places that may be older.
///
/// Anyone who can write the database can append this entry without the key, so that sightings and places appear older
/// than any record. Therefore it counts only if no earlier entry was made by a version that records contents, and only
/// for as many sightings, and for those places, as earlier entries account for.
struct RecordsBeginning {
    /// The index of the entry; nil if the database recorded contents from the start.
    let index: Int64?
    /// The key of the last sighting without a record.
    private(set) var lastSighting: Int64 = 0
    /// The number of earlier entries about stored sightings, including all erased entries, which may have been.
    private var sightings: Int64 = 0
    /// The entry directly before, which counts earlier erasures.
    private var erasures: Int64?
    /// Whether an earlier entry commits to contents, which no version did at that time.
    private var isForged = false
    private var enrolled: Set<StationID> = []
    /// Places that stations were moved to, by the time of the move.
    private var moves: [StationID: [String: Place]] = [:]

    /// - Parameter index: the index of the first `records.begun`.
    init(index: Int64?) { self.index = index }

    func isAfter(_ entry: Int64) -> Bool { index.map { entry < $0 } ?? false }

    mutating func follow(_ entry: AuditEntry) throws {
        guard let event = entry.event else {
            if isAfter(entry.index) { sightings += 1 }
            return
        }
        switch event.action {
        case AuditAction.recordsBegun.rawValue: try begin(entry.index, event)
        case AuditAction.entriesErased.rawValue where event.details[AuditTrail.cause] == AuditTrail.upgrade:
            guard index == entry.index + 1 else { throw ChainWalk.Fault.changed(index: entry.index) }
            erasures = entry.index
        default: if isAfter(entry.index) { followOld(event) }
        }
    }

    private mutating func begin(_ entry: Int64, _ event: AuditEntry.Event) throws {
        guard entry == index, !isForged, let last = event.details[AuditTrail.last].flatMap({ Int64($0) }),
            last >= 0, last <= sightings
        else { throw ChainWalk.Fault.changed(index: entry) }
        lastSighting = last
    }

    private mutating func followOld(_ event: AuditEntry.Event) {
        switch event.action {
        case AuditAction.entriesErased.rawValue: isForged = true
        case AuditAction.sightingStored.rawValue, AuditAction.sightingChanged.rawValue:
            if event.details[SightingRecord.digestKey] != nil { isForged = true }
            if event.action == AuditAction.sightingStored.rawValue { sightings += 1 }
        case AuditAction.stationEnrolled.rawValue:
            if event.surveyedPlace != nil { isForged = true }
            if let station = event.station { enrolled.insert(station) }
        default:
            guard let (station, place) = event.surveyedPlace, let since = event.details["since"] else { return }
            moves[station, default: [:]][since] = place
        }
    }

    /// Whether a place without an entry may be older than the records. The first place holds from the beginning of
    /// time, and the enrolment did not record it.
    func explains(_ place: Place?, of station: StationID, since: Timestamp) -> Bool {
        guard since.milliseconds != 0 else { return enrolled.contains(station) }
        return place != nil && moves[station]?[since.description] == place
    }
}
