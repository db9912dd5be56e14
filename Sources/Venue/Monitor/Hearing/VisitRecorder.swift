import Beacons
import Presence
import RegistryAPI
import Syntax

/// Turns the tracker's visits into visits for the registry, with identifiers, wall time and a place.
struct VisitRecorder: Sendable {
    /// The values already recorded for a visit, which later records of it repeat.
    private struct Told: Sendable {
        var id: VisitID?
        /// Fixed by the first trusted time, so that setting the clock later does not make the visit longer.
        var first: (wall: Timestamp, instant: ScanInstant)?
        /// The last time that an earlier run of the program recorded.
        var lastSeen: Timestamp?
        /// The place at the beginning of the visit.
        var place: Place?
    }

    private let clock: StationClock
    private let location: StationLocation
    private let receivers: [String: VenueReceiver]
    /// By the tracker's numbers of open visits.
    private var told: [UInt64: Told] = [:]
    /// By the tracker's numbers of stays.
    private var stays: [UInt64: StayID] = [:]
    /// Stays whose visits ended before the bike left.
    private var openStays = OpenStays()
    private let lostAfter: Duration

    /// - Parameters:
    ///   - receivers: the receivers that visits name, by the names of their radios.
    ///   - lostAfter: the duration of silence that ends a stay.
    init(clock: StationClock, location: StationLocation, receivers: [String: VenueReceiver], lostAfter: Duration) {
        self.clock = clock
        self.location = location
        self.receivers = receivers
        self.lostAfter = lostAfter
    }

    /// The visit of an event, with an identifier that stays the same from its first event to its last.
    mutating func record(_ event: PresenceEvent, using generator: inout some RandomNumberGenerator) -> StationVisit {
        let visit = record(event.visit, ended: event.kind.endsVisit, using: &generator)
        if event.kind.endsVisit { told[event.visit.number] = nil }
        if event.kind == .displaced {
            openStays.keep(visit.visit.stay, of: visit.visit.identity, until: event.visit.last.advanced(by: lostAfter))
        }
        if event.kind.endsVisit && event.kind != .cut { stays[event.visit.stay] = nil }
        return visit
    }

    /// The visit in the tracker's present state.
    mutating func record(
        _ snapshot: VisitSnapshot, ended: Bool, using generator: inout some RandomNumberGenerator
    ) -> StationVisit {
        var known = told[snapshot.number] ?? Told()
        let (timeline, isCertain) = clock.scanTimeline
        let first = known.first ?? (timeline.timestamp(of: snapshot.first), snapshot.first)
        let last = first.wall.advanced(by: first.instant.duration(to: snapshot.last))
        let id = known.id ?? VisitID(at: first.wall, using: &generator)
        let stay =
            stays[snapshot.stay] ?? openStays.take(snapshot.identity, at: snapshot.first)
            ?? StayID(at: first.wall, using: &generator)
        known.id = id
        known.place = known.place ?? location.place(at: clock.now)
        if isCertain { known.first = first }
        told[snapshot.number] = known
        stays[snapshot.stay] = stay
        let visit = Visit(
            id: id, stay: stay, identity: snapshot.identity, firstSeen: first.wall,
            lastSeen: max(last, known.lastSeen ?? last),
            count: Int64(snapshot.frames),
            rssi: snapshot.rssi.map { SignalStrength(min: Int($0.lowerBound), max: Int($0.upperBound)) },
            measuredPower: Int(snapshot.measuredPower), proximity: snapshot.nearest, place: known.place, ended: ended,
            timeUncertain: isCertain ? nil : true, receiver: snapshot.radio.flatMap { receiver(of: $0) }
        )
        return StationVisit(
            visit, span: isCertain ? nil : BootSpan(boot: clock.boot, first: snapshot.first, last: snapshot.last),
            isPlaceless: known.place == nil && location.withoutPlace != .enrolled
        )
    }
}

extension VisitRecorder {
    /// The receiver that a visit names. For a radio of Home Assistant that the settings do not name, this is the
    /// entry's name, a full stop, and the radio's name.
    private func receiver(of radio: String) -> VenueReceiver? {
        if let receiver = receivers[radio] { return receiver }
        let entry = String(radio.part(beforeScalar: { $0 == "." }))
        return entry != radio && receivers[entry] != nil ? VenueReceiver(name: radio) : nil
    }
}

// Visits from an earlier run of the program.
extension VisitRecorder {
    /// Whether the time since a visit is known, so that it can continue.
    func canResume(_ visit: StationVisit) -> Bool {
        if let span = visit.span { return span.boot == clock.boot }
        return clock.scanTimeline.isCertain && visit.visit.timeUncertain != true
    }

    /// Resumes a visit under a number of this run.
    mutating func resume(_ resumed: StationVisit, as number: UInt64) -> VisitSnapshot {
        let visit = resumed.visit
        let timeline = clock.scanTimeline.timeline
        let first = resumed.span?.first ?? timeline.instant(of: visit.firstSeen)
        let isDated = resumed.span == nil
        told[number] = Told(
            id: visit.id, first: isDated ? (visit.firstSeen, first) : nil, lastSeen: isDated ? visit.lastSeen : nil,
            place: visit.place)
        stays[number] = visit.stay
        return VisitSnapshot(
            number: number,
            stay: number,
            identity: visit.identity,
            first: first,
            last: max(first, resumed.span?.last ?? timeline.instant(of: visit.lastSeen)),
            frames: Int(visit.count),
            rssi: visit.rssi.map { Int8(clamping: $0.min)...Int8(clamping: max($0.min, $0.max)) },
            measuredPower: Int8(clamping: visit.measuredPower),
            nearest: visit.proximity,
            radio: visit.receiver?.name
        )
    }

    /// Keeps the stays of visits that cannot continue, since it is unknown how long the machine was off.
    mutating func inherit(_ visits: [StationVisit], until end: ScanInstant) {
        for kept in visits.sorted(by: { $0.visit.stay < $1.visit.stay }) {
            openStays.keep(kept.visit.stay, of: kept.visit.identity, until: end)
        }
    }
}
