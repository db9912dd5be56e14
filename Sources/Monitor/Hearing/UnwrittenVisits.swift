import Beacons
import Presence
import RegistryAPI

/// Visits with changes that are not on disk yet. Each is held once, in its current state, however long the disk fails.
///
/// The beginning and end of a visit are written at once. An update can wait a little, to share a write with other
/// changes: every write wears out a Raspberry Pi's card, and a power cut loses at most the last minute of a visit.
struct UnwrittenVisits: Sendable {
    static let patience = Duration.seconds(60)
    static let capacity = 10_000

    private var visits: [VisitID: StationVisit] = [:]
    private var isUrgent = false
    private var oldest: ScanInstant?
    /// Visits that were dropped because the disk failed for too long.
    private(set) var dropped = 0

    var isEmpty: Bool { visits.isEmpty }

    mutating func add(_ visit: StationVisit, _ kind: PresenceEvent.Kind, at now: ScanInstant) {
        if visits.count >= Self.capacity, visits[visit.visit.id] == nil, let first = visits.keys.min() {
            visits[first] = nil
            dropped += 1
        }
        visits[visit.visit.id] = visit
        oldest = oldest ?? now
        if kind != .updated { isUrgent = true }
    }

    func areDue(at now: ScanInstant) -> Bool {
        guard let oldest else { return false }
        return isUrgent || oldest.duration(to: now) >= Self.patience
    }

    /// All visits, oldest first.
    var all: [StationVisit] { visits.values.sorted { $0.visit.id < $1.visit.id } }

    mutating func removeAll() {
        visits.removeAll()
        isUrgent = false
        oldest = nil
    }
}
