public import Beacons

/// The times at which one beacon of a scenario was in range and was heard, for comparison with reports.
public struct GroundTruth: Hashable, Sendable {
    public let name: String
    public let identity: BeaconIdentity
    public let isMissing: Bool
    /// The times at which the expected signal, without shadowing and loss, reached the receiver's sensitivity; in
    /// order.
    public let inRange: [ClosedRange<ScanInstant>]
    /// The times at which frames were received, with shadowing and loss; in order. Times less than
    /// ``longestGap`` apart are one range.
    public let heard: [ClosedRange<ScanInstant>]

    /// Shorter than any silence that may end a visit (`presence.lostAfter`, at least 10 s), so that no range contains the
    /// end of one.
    static let longestGap = Duration.seconds(9)
}

extension Scenario {
    /// The truth about each beacon, in the order of the file.
    public var truth: [GroundTruth] {
        beacons.map { beacon in
            let range = environment.range(measuredPower: beacon.measuredPower)
            let intervals =
                range.map { beacon.trajectory.intervals(within: $0, until: duration.wholeNanoseconds) } ?? []
            return GroundTruth(
                name: beacon.name,
                identity: beacon.identity,
                isMissing: beacon.isMissing,
                inRange: intervals.map { instant($0.lowerBound)...instant($0.upperBound) },
                heard: heard(beacon)
            )
        }
    }

    /// Plays the beacon alone. Its random stream is separate, so that it is heard exactly as among the others.
    private func heard(_ beacon: Beacon) -> [ClosedRange<ScanInstant>] {
        var source = BeaconSource(beacon, environment: environment, seed: seed)
        var ranges: [ClosedRange<ScanInstant>] = []
        while let time = source.next, time < duration.wholeNanoseconds {
            guard source.transmit(at: time) != nil else { continue }
            let now = instant(time)
            if let last = ranges.last, last.upperBound.duration(to: now) < GroundTruth.longestGap {
                ranges[ranges.count - 1] = last.lowerBound...now
            } else {
                ranges.append(now...now)
            }
        }
        return ranges
    }

    private func instant(_ nanoseconds: Int64) -> ScanInstant {
        start.advanced(by: .nanoseconds(nanoseconds))
    }
}
