import Beacons
import Presence
import RegistryAPI
import Scanning

/// Visits with changes that are not on disk yet. Each is held once, in its current state, however long the disk fails.
///
/// The beginning and end of a visit are written immediately. An update can wait a little, to share a write with other
/// changes: every write wears out a Raspberry Pi's card, and a power cut loses at most the last minute of a visit.
/// Somebody who replays the beacons of many missing bikes can begin any number of visits, so after the first writes of
/// a minute, all visits share one write a second.
struct UnwrittenVisits: Sendable {
    /// How long an update may wait.
    static let patience = Duration.seconds(60)
    /// The maximum number of visits; beyond it, those with the oldest identifiers are dropped.
    static let capacity = 10_000
    /// The number of immediate writes in a minute; more than a busy venue needs.
    static let promptWrites = 30
    /// The time between two writes after that.
    static let pause = Duration.seconds(1)

    private var visits: [VisitID: StationVisit] = [:]
    /// Whether a visit has begun or ended.
    private var isUrgent = false
    /// When the oldest change was added; nil if there is none.
    private var oldest: ScanInstant?
    private var writes = MinuteCount()
    private var lastWrite: ScanInstant?
    /// Visits that were dropped because the disk failed for too long.
    private(set) var dropped = 0

    var isEmpty: Bool { visits.isEmpty }

    /// Adds a visit in its current state, in place of an earlier one.
    mutating func add(_ visit: StationVisit, _ kind: PresenceEvent.Kind, at now: ScanInstant) {
        if visits.count >= Self.capacity, visits[visit.visit.id] == nil, let first = visits.keys.min() {
            visits[first] = nil
            dropped += 1
        }
        visits[visit.visit.id] = visit
        oldest = oldest ?? now
        if kind != .updated { isUrgent = true }
    }

    /// Whether the visits are to be written now.
    func areDue(at now: ScanInstant) -> Bool {
        guard let oldest else { return false }
        guard isUrgent else { return oldest.duration(to: now) >= Self.patience }
        guard writes.count(at: now) >= Self.promptWrites else { return true }
        return lastWrite.map { $0.duration(to: now) >= Self.pause } ?? true
    }

    /// All visits, oldest first.
    var all: [StationVisit] { visits.values.sorted { $0.visit.id < $1.visit.id } }

    /// Notes that all visits are on disk.
    mutating func wrote(at now: ScanInstant) {
        lastWrite = now
        writes.add(at: now)
        visits.removeAll()
        isUrgent = false
        oldest = nil
    }
}
