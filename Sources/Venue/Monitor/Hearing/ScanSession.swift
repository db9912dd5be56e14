import Beacons
import MissingList
import Presence
import RegistryAPI

/// One run of a scanner: turns batches into visits. Pure except for the identifiers, which come from its generator.
struct ScanSession<Generator: RandomNumberGenerator & Sendable>: Sendable {
    /// A change to a visit.
    struct Change: Sendable {
        let kind: PresenceEvent.Kind
        let visit: StationVisit
    }

    private var tracker: PresenceTracker
    private var recorder: VisitRecorder
    private var matcher = MissingMatcher()
    private var generator: Generator

    init(presence: PresenceConfiguration, venue: Venue, generator: Generator) {
        tracker = PresenceTracker(configuration: presence)
        recorder = VisitRecorder(
            clock: venue.clock, location: venue.location, receivers: venue.receivers, lostAfter: presence.lostAfter)
        self.generator = generator
    }

    /// Resumes the visits that an earlier run left open; the silence since then counts. Visits that cannot continue are
    /// ended.
    ///
    /// - Returns: the changes that end visits.
    mutating func resume(_ visits: [StationVisit], at instant: ScanInstant) throws(PresenceError) -> [Change] {
        // One visit per beacon: if a crash has left two, the newer one continues and the older one is reported
        // unchanged.
        var goesOn: [BeaconIdentity: StationVisit] = [:]
        for visit in visits.filter(recorder.canResume).sorted(by: { $0.visit.lastSeen < $1.visit.lastSeen }) {
            goesOn[visit.visit.identity] = visit
        }
        // After a long disk failure there may be more open visits than the limit: the latest continue.
        let excess = max(0, goesOn.count - tracker.configuration.visitCapacity)
        for visit in goesOn.values.sorted(by: { $0.visit.lastSeen < $1.visit.lastSeen }).prefix(excess) {
            goesOn[visit.visit.identity] = nil
        }
        let lost = visits.filter { goesOn[$0.visit.identity]?.visit.id != $0.visit.id }
        let snapshots = goesOn.values.sorted { $0.visit.id < $1.visit.id }.enumerated().map { index, visit in
            recorder.resume(visit, as: UInt64(index + 1))
        }
        try tracker.resume(snapshots, at: instant)
        recorder.inherit(lost, until: instant.advanced(by: tracker.configuration.lostAfter))
        return lost.map { visit in
            var ended = visit
            ended.visit.ended = true
            return Change(kind: .lost, visit: ended)
        }
    }

    /// Processes a batch. `heard` is called with each iBeacon and whether it may be on the missing list; only the
    /// registry's response to the report is an exact match.
    mutating func take(
        _ batch: AdvertisementBatch, missing: MissingIdentities, heard: (IBeacon, Int8?, Bool) -> Void
    ) -> [Change] {
        var events: [PresenceEvent] = []
        batch.forEach { advertisement, data in
            guard let beacon = IBeacon(advertisingData: data) else { return }
            let isMissing = matcher.matches(beacon.identity, on: missing)
            heard(beacon, advertisement.rssi, isMissing)
            guard isMissing else { return }
            events += tracker.observe(beacon, rssi: advertisement.rssi, at: advertisement.time, by: batch.radio)
        }
        events += tracker.advance(to: batch.time)
        return record(events)
    }

    /// Visits that were ended early to make room.
    var displacedVisits: Int { tracker.counters.displacedVisits }

    /// Ends all visits, because the source ended.
    mutating func finish(at instant: ScanInstant) -> [Change] {
        record(tracker.finish(at: instant))
    }

    /// The open visits in their current state, for the disk.
    mutating func openVisits() -> [StationVisit] {
        tracker.openVisits.map { recorder.record($0, ended: false, using: &generator) }
    }

    /// Turns events of the tracker into changes of visits.
    private mutating func record(_ events: [PresenceEvent]) -> [Change] {
        events.map { Change(kind: $0.kind, visit: recorder.record($0, using: &generator)) }
    }
}
