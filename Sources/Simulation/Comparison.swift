public import Beacons

/// A visit as it was reported of a simulation, on the simulation's time line.
public struct ReportedVisit: Hashable, Sendable {
    public var identity: BeaconIdentity
    /// The same for the visits into which one very long stay is cut.
    public var stay: String
    public var heard: ClosedRange<ScanInstant>

    public init(identity: BeaconIdentity, stay: String, heard: ClosedRange<ScanInstant>) {
        self.identity = identity
        self.stay = stay
        self.heard = heard
    }
}

/// What was simulated beside what was reported of it.
///
/// Expected is each stay of a missing bike in range; stays with less silence between them than ends a visit are one.
/// Walls and chance move the moment at which a signal fades, so that edges are compared with a margin.
public struct Comparison: Hashable, Sendable {
    /// How exactly truth and report must agree.
    public struct Tolerance: Sendable {
        /// Stays shorter than this need not be noticed.
        public var shortest: Duration
        /// How long after a bike came into range its visit may begin without being late.
        public var late: Duration
        /// The silence that ends a visit.
        public var silence: Duration

        public init(shortest: Duration = .seconds(10), late: Duration = .seconds(30), silence: Duration = .seconds(180))
        {
            self.shortest = shortest
            self.late = late
            self.silence = silence
        }
    }

    /// One stay of one beacon.
    public struct Stay: Hashable, Sendable {
        public let name: String
        public let identity: BeaconIdentity
        public let inRange: ClosedRange<ScanInstant>
    }

    /// Stays that were long enough to be noticed, or were noticed all the same.
    public let expected: [Stay]
    /// Expected stays of which nothing was reported.
    public let missed: [Stay]
    /// Expected stays whose report begins too late.
    public let late: [Stay]
    /// Reports beyond the first of the same stay.
    public let duplicate: [ReportedVisit]
    /// Reports of bikes that were not missing, or not there.
    public let wrong: [ReportedVisit]

    /// Whether each expected stay was reported once, in time, and nothing else.
    public var isFaultless: Bool { missed.isEmpty && late.isEmpty && duplicate.isEmpty && wrong.isEmpty }

    public init(_ truth: [GroundTruth], _ reported: [ReportedVisit], tolerance: Tolerance = Tolerance()) {
        let stays = truth.filter(\.isMissing).flatMap { Self.stays(of: $0, apart: tolerance.silence) }
        let reports = reported.map { visit in
            (visit, stay: stays.firstIndex { $0.isHeard(in: visit, margin: tolerance.silence) })
        }
        let firsts = stays.indices.map { index in
            reports.filter { $0.stay == index }.map(\.0).min { $0.heard.lowerBound < $1.heard.lowerBound }
        }
        expected = zip(stays, firsts).filter { $1 != nil || $0.length >= tolerance.shortest }.map(\.0)
        missed = zip(stays, firsts).filter { $1 == nil && $0.length >= tolerance.shortest }.map(\.0)
        late = zip(stays, firsts).compactMap { stay, first in
            guard let first, stay.inRange.lowerBound.duration(to: first.heard.lowerBound) > tolerance.late else {
                return nil
            }
            return stay
        }
        duplicate = reports.compactMap { visit, stay in
            guard let stay, let first = firsts[stay], visit.stay != first.stay else { return nil }
            return visit
        }
        wrong = reports.filter { $0.stay == nil }.map(\.0)
    }

    /// Joins times in range that one visit spans.
    private static func stays(of truth: GroundTruth, apart silence: Duration) -> [Stay] {
        var ranges: [ClosedRange<ScanInstant>] = []
        for range in truth.inRange {
            if let last = ranges.last, last.upperBound.duration(to: range.lowerBound) < silence {
                ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
        return ranges.map { Stay(name: truth.name, identity: truth.identity, inRange: $0) }
    }
}

extension Comparison.Stay {
    var length: Duration { inRange.lowerBound.duration(to: inRange.upperBound) }

    fileprivate func isHeard(in visit: ReportedVisit, margin: Duration) -> Bool {
        let widened = inRange.lowerBound.advanced(by: .zero - margin)...inRange.upperBound.advanced(by: margin)
        return visit.identity == identity && widened.overlaps(visit.heard)
    }
}
