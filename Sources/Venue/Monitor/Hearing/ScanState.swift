import Beacons
import Logging
import Presence
import RegistryAPI
import Scanning
import StationStatus

/// The state of a scan loop: the session, and its changes that are not on disk yet.
struct ScanState: Sendable {
    private var session: ScanSession<SystemRandomNumberGenerator>
    private var log: ScanLog
    private let venue: Venue
    /// Nil unless all visits are reported: otherwise silence would prove nothing.
    private var meter: CoverageMeter?
    var unwritten = UnwrittenVisits()
    var isDiskFailing = false
    /// The time of the latest batch; nil before the first.
    private(set) var now: ScanInstant?

    init(presence: PresenceConfiguration, venue: Venue, logger: Logger) {
        session = ScanSession(presence: presence, venue: venue, generator: .init())
        log = ScanLog(logger)
        self.venue = venue
        meter = venue.policy == .always ? CoverageMeter() : nil
    }

    /// Resumes the visits that an earlier run left open.
    mutating func resume(_ visits: [StationVisit], at instant: ScanInstant) throws {
        add(try session.resume(visits, at: instant), at: instant)
    }

    /// Matches, logs and counts the beacons of a batch, and notes the changes of visits.
    mutating func take(_ batch: AdvertisementBatch, missing list: CurrentList) {
        now = batch.time
        log.begin(at: batch.time)
        var (beacons, candidates) = (0, 0)
        let changes = session.take(batch, missing: list.identities) { beacon, rssi, isMissing in
            log.heard(beacon, rssi: rssi, isMissing: isMissing, at: batch.time)
            beacons += 1
            if isMissing { candidates += 1 }
        }
        venue.hearing.note(batch, beacons: beacons, candidates: candidates)
        let displaced = session.displacedVisits
        venue.hearing.note(displaced: displaced)
        log.displaced(displaced, at: batch.time)
        add(changes, at: batch.time)
    }

    /// Measures what is heard, once wall time is known.
    ///
    /// - Returns: the quarter of an hour that has ended, if any.
    mutating func measure(_ batch: AdvertisementBatch, missing list: CurrentList) -> CoverageQuarter? {
        let (timeline, isCertain) = venue.clock.scanTimeline
        guard isCertain, meter != nil else { return nil }
        let time = timeline.timestamp(of: batch.time)
        venue.coverage.note(time)
        return meter?.take(batch, at: time, listAge: list.age)
    }

    /// Ends and returns the quarter of an hour in progress, because the program ends.
    mutating func endMeasuring() -> CoverageQuarter? { meter?.end() }

    /// Ends all visits, because the source has ended.
    mutating func finish() {
        guard let now else { return }
        add(session.finish(at: now), at: now)
    }

    /// Leaves open visits open on disk, because the program ends.
    mutating func suspend() {
        guard let now, venue.policy != .never else { return }
        for visit in session.openVisits() where isPlaceKnown(visit) { unwritten.add(visit, .updated, at: now) }
    }

    /// Logs and announces changes, and keeps those that may be written.
    private mutating func add(_ changes: [ScanSession<SystemRandomNumberGenerator>.Change], at now: ScanInstant) {
        for change in changes {
            log.changed(change.kind, change.visit.visit, at: now)
            tell(change)
            guard venue.policy != .never else { continue }
            guard isPlaceKnown(change.visit) else {
                if change.kind.opensVisit { log.refusedWithoutPlace(change.visit.visit, at: now) }
                if change.kind.endsVisit { venue.location.countRefusal() }
                continue
            }
            unwritten.add(change.visit, change.kind, at: now)
        }
    }

    private func isPlaceKnown(_ visit: StationVisit) -> Bool {
        !(visit.isPlaceless && venue.location.withoutPlace == .refuse)
    }

    /// Announces the beginning and the end of a visit to the venue.
    private func tell(_ change: ScanSession<SystemRandomNumberGenerator>.Change) {
        let kind: String
        switch change.kind {
        case .entered: kind = "visit-began"
        case .lost, .finished, .displaced: kind = "visit-ended"
        case .updated, .cut, .continued: return
        }
        venue.events.send(kind, ["visit": "\(change.visit.visit.id)", "frames": "\(change.visit.visit.count)"])
    }
}
