public import Beacons

/// A visit reported during a simulation, on the simulation's time line.
public struct ReportedVisit: Hashable, Sendable {
    public var identity: BeaconIdentity
    /// The identifier of the stay; the same for the visits into which one very long stay is cut.
    public var stay: String
    /// The times of the first and the last frame.
    public var heard: ClosedRange<ScanInstant>

    public init(identity: BeaconIdentity, stay: String, heard: ClosedRange<ScanInstant>) {
        self.identity = identity
        self.stay = stay
        self.heard = heard
    }
}

/// A comparison of a simulation with its reports.
///
/// A stay is expected if at least one of its frames was heard, whatever the station's rule for a visit; times separated
/// by a silence too short to end a visit are one stay.
public struct Comparison: Hashable, Sendable {
    /// The tolerance between truth and report.
    public struct Tolerance: Sendable {
        /// The maximum time from the first frame of a bike to its visit.
        public var late: Duration
        /// The silence that ends a visit.
        public var silence: Duration

        public init(late: Duration = .seconds(30), silence: Duration = .seconds(180)) {
            self.late = late
            self.silence = silence
        }

        /// The tolerance for wall times, which are reported in milliseconds.
        static let rounding = Duration.milliseconds(10)
    }

    /// One stay of one beacon.
    public struct Stay: Hashable, Sendable {
        public let name: String
        public let identity: BeaconIdentity
        /// The times of the first and the last frame; of ``unheard``, the time in range.
        public let heard: ClosedRange<ScanInstant>
    }

    /// Stays of which at least one frame was heard.
    public let expected: [Stay]
    /// Expected stays that were not reported.
    public let missed: [Stay]
    /// Expected stays whose report begins too late.
    public let late: [Stay]
    /// Reports beyond the first of the same stay.
    public let duplicate: [ReportedVisit]
    /// Reports of bikes that were not missing, or not there.
    public let wrong: [ReportedVisit]

    /// Times at which a missing bike was in range but no frame of it was received: no rule could report these.
    public let unheard: [Stay]

    /// Whether each expected stay was reported once and in time, and nothing else was reported.
    public var isFaultless: Bool { missed.isEmpty && late.isEmpty && duplicate.isEmpty && wrong.isEmpty }

    /// - Parameters:
    ///   - truth: what was heard of each beacon.
    ///   - reported: the visits that the registry has.
    public init(_ truth: [GroundTruth], _ reported: [ReportedVisit], tolerance: Tolerance = Tolerance()) {
        let missing = truth.filter(\.isMissing)
        let stays = missing.flatMap { Self.stays(of: $0, during: $0.heard, apart: tolerance.silence) }
        // Each report with the stay that it is about, if any.
        let reports = reported.map { visit in
            (visit, stay: stays.firstIndex { $0.overlaps(visit) })
        }
        // The earliest report of each stay.
        let firsts = stays.indices.map { index in
            reports.filter { $0.stay == index }.map(\.0).min { $0.heard.lowerBound < $1.heard.lowerBound }
        }
        expected = stays
        missed = zip(stays, firsts).filter { $1 == nil }.map(\.0)
        unheard = missing.flatMap { truth in
            Self.stays(of: truth, during: truth.inRange, apart: tolerance.silence).filter { stay in
                !truth.heard.contains { $0.overlaps(stay.heard) }
            }
        }
        late = zip(stays, firsts).compactMap { stay, first in
            guard let first, stay.heard.lowerBound.duration(to: first.heard.lowerBound) > tolerance.late else {
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

    /// Joins times that belong to one visit.
    private static func stays(
        of truth: GroundTruth, during times: [ClosedRange<ScanInstant>], apart silence: Duration
    ) -> [Stay] {
        var ranges: [ClosedRange<ScanInstant>] = []
        for range in times {
            if let last = ranges.last, last.upperBound.duration(to: range.lowerBound) < silence {
                ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
        return ranges.map { Stay(name: truth.name, identity: truth.identity, heard: $0) }
    }
}

extension Comparison.Stay {
    fileprivate func overlaps(_ visit: ReportedVisit) -> Bool {
        let margin = Comparison.Tolerance.rounding
        let widened = heard.lowerBound.advanced(by: .zero - margin)...heard.upperBound.advanced(by: margin)
        return visit.identity == identity && widened.overlaps(visit.heard)
    }
}
