public import Beacons

/// Turns frames of beacons into visits: entered after enough frames, updated while present, lost after silence.
///
/// Its only clock is the time of the frames and of ``advance(to:)``. Every event has the exact time of its deadline,
/// and the events of a stream do not depend on how often time is advanced. A deadline at t precedes a frame at t. Each
/// frame costs O(1), and the two capacities bound the memory, whatever is on the air. A new beacon always gets a visit:
/// a table full of replayed identities makes room.
///
/// Pass only beacons that are worth tracking: candidates on the missing list.
public struct PresenceTracker: Sendable {
    public let configuration: PresenceConfiguration
    public internal(set) var counters = PresenceCounters()

    /// The latest known time.
    var now = ScanInstant(nanoseconds: .min)
    var nextNumber: UInt64 = 1
    /// Beacons without enough frames, with the frames of the run that may open a visit; ordered by the latest frame.
    private(set) var candidates = RecencyTable<[Frame]>()
    /// Open visits, ordered by the latest frame, so that the oldest is the next to be lost.
    var visits = RecencyTable<OpenVisit>()
    /// Visits that have not been heard for long, ordered by the latest frame.
    var unproven = RecencyTable<Unproven>()
    /// The time of each visit's next update; in chronological order, since all have the same interval.
    var updates = RecencyTable<ScanInstant>()

    /// Nothing: the table is a set.
    struct Unproven: Sendable {}

    public init(configuration: PresenceConfiguration = .standard) {
        self.configuration = configuration
    }

    /// Processes one frame and returns the events that it and the time since the previous call have caused, in
    /// chronological order.
    ///
    /// If time goes back, it counts as standing still.
    public mutating func observe(
        _ beacon: IBeacon, rssi: Int8?, at instant: ScanInstant, by radio: String? = nil
    ) -> [PresenceEvent] {
        counters.frames += 1
        if instant < now { counters.backwardFrames += 1 }
        var events = advance(to: instant)
        let frame = Frame(time: now, rssi: rssi, radio: radio)
        if let slot = visits.find(beacon.identity) {
            addFrame(frame, of: beacon, in: slot, &events)
        } else {
            addCandidateFrame(frame, of: beacon, &events)
        }
        return events
    }

    /// Advances time and returns the events whose deadlines have been reached, in chronological order.
    public mutating func advance(to instant: ScanInstant) -> [PresenceEvent] {
        now = max(now, instant)
        var events: [PresenceEvent] = []
        while let deadline = nextDeadline, deadline.time <= now {
            switch deadline {
            case .lost(let slot, let time): close(slot, as: .lost, at: time, &events)
            case .update(let slot, let time): update(slot, at: time, &events)
            }
        }
        forgetStaleCandidates()
        return events
    }

    /// Ends all visits, as at the end of a capture, and drops all candidates.
    public mutating func finish(at instant: ScanInstant) -> [PresenceEvent] {
        var events = advance(to: instant)
        for visit in visits.values.sorted(by: { $0.number < $1.number }) {
            events.append(PresenceEvent(kind: .finished, time: now, visit: visit.snapshot(at: now)))
        }
        visits.removeAll()
        updates.removeAll()
        unproven.removeAll()
        candidates.removeAll()
        return events
    }
}

// Frames.
extension PresenceTracker {
    /// Adds a frame to an open visit, which it may first cut.
    private mutating func addFrame(
        _ frame: Frame, of beacon: IBeacon, in slot: RecencyTable<OpenVisit>.Slot, _ events: inout [PresenceEvent]
    ) {
        // A visit is cut only when a frame can begin the next one: so no visit is empty, and silence still means lost.
        let isCut = visits[slot].first.duration(to: now) >= configuration.longestVisit
        if isCut {
            events.append(PresenceEvent(kind: .cut, time: now, visit: visits[slot].snapshot(at: now)))
            visits[slot].continue(as: takeNumber(), at: now)
        }
        visits[slot].add(frame, measuredPower: beacon.measuredPower)
        visits.touch(slot)
        if let entry = unproven.find(beacon.identity) {
            if visits[slot].isProven { unproven.remove(entry) } else { unproven.touch(entry) }
        }
        if isCut { report(.continued, slot, at: now, &events) }
    }

    /// Adds a frame of a beacon without a visit; begins the visit once there are enough of them.
    private mutating func addCandidateFrame(_ frame: Frame, of beacon: IBeacon, _ events: inout [PresenceEvent]) {
        var run = candidates.find(beacon.identity).map { candidates.remove($0) } ?? []
        run.removeAll { $0.time.duration(to: now) > configuration.enterWithin }
        run.append(frame)
        guard run.count < configuration.enterFrames else {
            return beginVisit(beacon, run, &events)
        }
        if candidates.count >= configuration.candidateCapacity, let oldest = candidates.oldest {
            candidates.remove(oldest)
            counters.evictedCandidates += 1
        }
        candidates.insert(beacon.identity, run)
    }

    /// Begins a visit with the frames of a run, oldest first.
    private mutating func beginVisit(_ beacon: IBeacon, _ run: [Frame], _ events: inout [PresenceEvent]) {
        if visits.count >= configuration.visitCapacity { displace(&events) }
        let visit = OpenVisit(
            number: takeNumber(), beacon: beacon, run: run, at: now, ranging: configuration.ranging)
        let slot = visits.insert(beacon.identity, visit)
        if !visit.isProven { unproven.insert(beacon.identity, Unproven()) }
        updates.insert(beacon.identity, now.advanced(by: configuration.updateEvery))
        report(.entered, slot, at: now, &events)
    }

    /// Ends the least important visit: among those that have not been heard for long, the one that has been silent
    /// longest.
    ///
    /// A quarter of the table is reserved for these. While they use less, the visit that has been silent longest of all
    /// is ended, so that somebody who maintains thousands of proven visits cannot shut out a new one. Signal strength
    /// plays no part, because a transmitter can choose it.
    private mutating func displace(_ events: inout [PresenceEvent]) {
        let share = max(1, configuration.visitCapacity / 4)
        var leastImportant = visits.oldest
        if unproven.count >= share, let entry = unproven.oldest, let visit = visits.find(unproven.key(entry)) {
            leastImportant = visit
        }
        guard let slot = leastImportant else { return }
        counters.displacedVisits += 1
        close(slot, as: .displaced, at: now, &events)
    }

    /// Drops candidates whose run can no longer become a visit.
    private mutating func forgetStaleCandidates() {
        while let oldest = candidates.oldest, let newestFrame = candidates[oldest].last,
            newestFrame.time.duration(to: now) > configuration.enterWithin
        {
            candidates.remove(oldest)
        }
    }

    /// The number of the next visit.
    private mutating func takeNumber() -> UInt64 {
        defer { nextNumber += 1 }
        return nextNumber
    }
}

// Deadlines.
extension PresenceTracker {
    private enum Deadline {
        case lost(RecencyTable<OpenVisit>.Slot, ScanInstant)
        case update(RecencyTable<ScanInstant>.Slot, ScanInstant)

        var time: ScanInstant {
            switch self {
            case .lost(_, let time), .update(_, let time): time
            }
        }
    }

    /// The earliest deadline; at equal times the loss, which makes the update unnecessary.
    private var nextDeadline: Deadline? {
        guard let visit = visits.oldest else { return nil }
        let lost = Deadline.lost(visit, visits[visit].last.advanced(by: configuration.lostAfter))
        guard let due = updates.oldest, updates[due] < lost.time else { return lost }
        return .update(due, updates[due])
    }

    /// Ends a visit with an event.
    private mutating func close(
        _ slot: RecencyTable<OpenVisit>.Slot, as kind: PresenceEvent.Kind, at time: ScanInstant,
        _ events: inout [PresenceEvent]
    ) {
        let visit = visits.remove(slot)
        if let due = updates.find(visit.identity) { updates.remove(due) }
        if let entry = unproven.find(visit.identity) { unproven.remove(entry) }
        events.append(PresenceEvent(kind: kind, time: time, visit: visit.snapshot(at: time)))
    }

    /// Schedules the next update of a visit, and reports this one if a frame was heard since the last event.
    private mutating func update(
        _ slot: RecencyTable<ScanInstant>.Slot, at time: ScanInstant, _ events: inout [PresenceEvent]
    ) {
        updates[slot] = time.advanced(by: configuration.updateEvery)
        updates.touch(slot)
        guard let visit = visits.find(updates.key(slot)), visits[visit].hasNews else { return }
        report(.updated, visit, at: time, &events)
    }

    /// Adds an event of an open visit, after which it has no news.
    private mutating func report(
        _ kind: PresenceEvent.Kind, _ slot: RecencyTable<OpenVisit>.Slot, at time: ScanInstant,
        _ events: inout [PresenceEvent]
    ) {
        visits[slot].hasNews = false
        events.append(PresenceEvent(kind: kind, time: time, visit: visits[slot].snapshot(at: time)))
    }
}

extension PresenceTracker {
    /// The open visits, in their state at the latest known time, in the order of their numbers.
    public var openVisits: [VisitSnapshot] {
        visits.values.sorted { $0.number < $1.number }.map { $0.snapshot(at: now) }
    }
}

/// Counters of a tracker since it was created, which show problems of a station.
public struct PresenceCounters: Hashable, Sendable {
    /// Frames observed.
    public internal(set) var frames = 0
    /// Frames with a time before that of an earlier frame.
    public internal(set) var backwardFrames = 0
    /// Beacons dropped before they had enough frames for a visit, because too many others were new.
    public internal(set) var evictedCandidates = 0
    /// Visits ended early because too many were open.
    public internal(set) var displacedVisits = 0

    public init() {}
}
