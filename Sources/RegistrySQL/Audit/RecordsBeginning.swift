import Evidence
import Registry
import RegistryAPI

/// The entry with which an upgraded database begins to record what sightings and places are (`records.begun`), and what may
/// have been there before it.
///
/// Whoever can write the database can append one without the key, so that sightings and places pass for older than any record.
/// So it counts only if nothing before it was made by a version that records, and only for as many sightings, and for
/// those places, as earlier entries tell of.
struct RecordsBeginning {
    /// Nil where there were records from the start.
    let index: Int64?
    /// The key of the last sighting without a record.
    private(set) var lastSighting: Int64 = 0
    /// Entries before that tell of a sighting, or may have done so until they were erased.
    private var sightings: Int64 = 0
    /// The entry of what had been erased before, which stands directly before.
    private var erasures: Int64?
    /// Whether an entry before commits to contents, as none did then.
    private var isForged = false
    private var enrolled: Set<StationID> = []
    /// Places that stations were moved to, by the time since when.
    private var moves: [StationID: [String: Place]] = [:]

    /// - Parameter index: that of the first `records.begun`.
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

    /// Whether a place without an entry is one of before. The first place holds from the beginning of time, and the
    /// enrolment did not tell it.
    func explains(_ place: Place?, of station: StationID, since: Timestamp) -> Bool {
        guard since.milliseconds != 0 else { return enrolled.contains(station) }
        return place != nil && moves[station]?[since.description] == place
    }
}
