import Beacons
import Presence
import RegistryAPI

/// Turns the tracker's visits into visits as the registry knows them: with identifiers, wall time and a place.
struct VisitRecorder: Sendable {
    let timeline: WallTimeline
    let place: Place?
    private var visits: [UInt64: VisitID] = [:]
    private var stays: [UInt64: StayID] = [:]
    /// What earlier runs have recorded of visits that go on: their clock may have been another.
    private var resumed: [UInt64: Visit] = [:]

    init(timeline: WallTimeline, place: Place?) {
        self.timeline = timeline
        self.place = place
    }

    /// The visit of an event, under an identifier that stays the same from its first event to its last.
    mutating func record(_ event: PresenceEvent, using generator: inout some RandomNumberGenerator) -> Visit {
        let visit = record(event.visit, ended: event.kind.endsVisit, using: &generator)
        if event.kind.endsVisit {
            visits[event.visit.number] = nil
            resumed[event.visit.number] = nil
        }
        if event.kind.endsVisit && event.kind != .cut { stays[event.visit.stay] = nil }
        return visit
    }

    mutating func record(
        _ snapshot: VisitSnapshot, ended: Bool, using generator: inout some RandomNumberGenerator
    ) -> Visit {
        let earlier = resumed[snapshot.number]
        let firstSeen = earlier?.firstSeen ?? timeline.timestamp(of: snapshot.first)
        let lastSeen = timeline.timestamp(of: snapshot.last)
        let id = visits[snapshot.number] ?? VisitID(at: firstSeen, using: &generator)
        let stay = stays[snapshot.stay] ?? StayID(at: firstSeen, using: &generator)
        visits[snapshot.number] = id
        stays[snapshot.stay] = stay
        return Visit(
            id: id,
            stay: stay,
            identity: snapshot.identity,
            firstSeen: firstSeen,
            lastSeen: max(lastSeen, earlier?.lastSeen ?? lastSeen),
            count: Int64(snapshot.frames),
            rssi: snapshot.rssi.map { SignalStrength(min: Int($0.lowerBound), max: Int($0.upperBound)) },
            measuredPower: Int(snapshot.measuredPower),
            proximity: snapshot.nearest,
            place: place,
            ended: ended
        )
    }

    /// Takes up a visit of an earlier run under a number of this one.
    mutating func resume(_ visit: Visit, as number: UInt64) -> VisitSnapshot {
        visits[number] = visit.id
        stays[number] = visit.stay
        resumed[number] = visit
        return VisitSnapshot(
            number: number,
            stay: number,
            identity: visit.identity,
            first: timeline.instant(of: visit.firstSeen),
            last: timeline.instant(of: visit.lastSeen),
            frames: Int(visit.count),
            rssi: visit.rssi.map { Int8(clamping: $0.min)...Int8(clamping: max($0.min, $0.max)) },
            measuredPower: Int8(clamping: visit.measuredPower),
            nearest: visit.proximity
        )
    }
}
