public import Beacons

extension PresenceTracker {
    /// The maximum number of frames of a resumed visit: the contract's limit, 2⁵³.
    private static let maximumFrames = 1 << 53
    /// Numbers are stored as signed integers.
    private static let maximumNumber = UInt64(Int64.max)

    /// Restores visits that were open when an earlier run of the program ended, so that a crash does not create a
    /// second visit.
    ///
    /// Pass visits whose silence is shorter than ``PresenceConfiguration/lostAfter``, with times mapped to this
    /// tracker's time line. A longer silence is reported as ``PresenceEvent/Kind/lost`` by the next call, with the time
    /// of its deadline. A time later than `instant` counts as `instant`. Numbers and stays are kept, and new ones
    /// follow them; smoothing restarts, and updates count from `instant`.
    ///
    /// - Throws: ``PresenceError``; the tracker is then unchanged.
    public mutating func resume(_ resumed: [VisitSnapshot], at instant: ScanInstant) throws(PresenceError) {
        guard counters.frames == 0, visits.count == 0 else { throw .alreadyStarted }
        guard resumed.count <= configuration.visitCapacity else {
            throw .tooManyVisits(count: resumed.count, capacity: configuration.visitCapacity)
        }
        try Self.check(resumed)
        now = max(now, instant)
        for visit in resumed.sorted(by: { ($0.last, $0.number) < ($1.last, $1.number) }) {
            let open = OpenVisit(resuming: visit, last: min(visit.last, now), ranging: configuration.ranging)
            visits.insert(visit.identity, open)
            if !open.isProven { unproven.insert(visit.identity, Unproven()) }
            updates.insert(visit.identity, now.advanced(by: configuration.updateEvery))
            nextNumber = max(nextNumber, visit.number + 1)
        }
    }

    /// Throws if a visit contradicts itself or another one.
    private static func check(_ resumed: [VisitSnapshot]) throws(PresenceError) {
        var identities: Set<BeaconIdentity> = []
        var numbers: Set<UInt64> = []
        for visit in resumed {
            guard (1...maximumNumber).contains(visit.number), (1...visit.number).contains(visit.stay) else {
                throw .inconsistentVisit(number: visit.number, reason: "number and stay must count from 1, stay first")
            }
            guard visit.first <= visit.last else {
                throw .inconsistentVisit(number: visit.number, reason: "it ends before it begins")
            }
            guard (1...maximumFrames).contains(visit.frames) else {
                throw .inconsistentVisit(number: visit.number, reason: "it must have 1 to 2^53 frames")
            }
            guard identities.insert(visit.identity).inserted, numbers.insert(visit.number).inserted else {
                throw .inconsistentVisit(number: visit.number, reason: "its number or its beacon is given twice")
            }
        }
    }
}
