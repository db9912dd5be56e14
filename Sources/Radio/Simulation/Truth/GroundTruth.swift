public import Beacons

/// The times at which one beacon of a scenario was in range and was heard, for comparison with reports.
public struct GroundTruth: Hashable, Sendable {
    public let name: String
    public let identity: BeaconIdentity
    public let isMissing: Bool
    /// The times at which the expected signal, without shadowing and loss, reached the receiver's sensitivity; in
    /// order.
    public let inRange: [ClosedRange<ScanInstant>]
    /// The times at which frames were received, with shadowing and loss; in order. Times less than ``burst`` apart are
    /// one range.
    public let heard: [ClosedRange<ScanInstant>]

    /// The maximum gap within one range; shorter than any silence that may end a visit.
    static let burst = Duration.seconds(9)
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
            if let last = ranges.last, last.upperBound.duration(to: now) < GroundTruth.burst {
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

extension Trajectory {
    /// The nanoseconds since the start during which the station is at most `radius` metres away.
    func intervals(within radius: Double, until end: Int64) -> [ClosedRange<Int64>] {
        var intervals: [ClosedRange<Int64>] = []
        for (from, to) in zip(waypoints, waypoints.dropFirst()) {
            if let interval = Self.interval(from: from, to: to, within: radius) {
                Self.append(interval, to: &intervals)
            }
        }
        if let last = waypoints.last, last.metres <= radius {
            Self.append(last.nanoseconds...present.upperBound, to: &intervals)
        }
        return intervals.filter { $0.lowerBound <= end }.map { $0.clamped(to: 0...end) }
    }

    /// Appends an interval, or joins it to the previous one if they touch.
    private static func append(_ interval: ClosedRange<Int64>, to intervals: inout [ClosedRange<Int64>]) {
        if let before = intervals.last, before.upperBound >= interval.lowerBound {
            intervals[intervals.count - 1] = before.lowerBound...max(before.upperBound, interval.upperBound)
        } else {
            intervals.append(interval)
        }
    }

    /// The time on one straight line inside the circle: |from + share·step|² ≤ radius², a quadratic in the share.
    private static func interval(from: Waypoint, to: Waypoint, within radius: Double) -> ClosedRange<Int64>? {
        let (stepX, stepY) = (to.x - from.x, to.y - from.y)
        let a = stepX * stepX + stepY * stepY
        let b = from.x * stepX + from.y * stepY
        let c = from.x * from.x + from.y * from.y - radius * radius
        let whole = from.nanoseconds...to.nanoseconds
        guard a > 0 else { return c <= 0 ? whole : nil }
        let discriminant = b * b - a * c
        guard discriminant >= 0 else { return nil }
        let root = discriminant.squareRoot()
        let (enter, leave) = (max(0, (-b - root) / a), min(1, (-b + root) / a))
        guard enter <= leave else { return nil }
        let length = Double(to.nanoseconds - from.nanoseconds)
        let first = from.nanoseconds + Int64(enter * length)
        let last = from.nanoseconds + Int64(leave * length)
        return first...min(max(first, last), to.nanoseconds)
    }
}
