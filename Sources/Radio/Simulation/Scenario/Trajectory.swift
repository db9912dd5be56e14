import Beacons

/// A path past the station: straight lines between waypoints, each at constant speed.
public struct Trajectory: Hashable, Sendable {
    /// A place at a time since the scenario's start; the station is at (0, 0).
    public struct Waypoint: Hashable, Sendable {
        public let at: Duration
        /// The coordinate in metres, ±100,000.
        public let x: Double
        public let y: Double
        /// `at` in nanoseconds, which are read for each frame.
        let nanoseconds: Int64

        init(at: Duration, x: Double, y: Double) {
            self.at = at
            self.x = x
            self.y = y
            nanoseconds = at.wholeNanoseconds
        }

        /// The distance to the station.
        var metres: Double { (x * x + y * y).squareRoot() }
    }

    /// The waypoints, at least one, with strictly increasing times.
    public let waypoints: [Waypoint]
    /// The nanoseconds since the scenario's start during which the beacon is present.
    let present: ClosedRange<Int64>

    /// The waypoints must not be empty and must have strictly increasing times. With `until` the beacon stays at the
    /// last waypoint.
    init?(waypoints: [Waypoint], until end: Duration?) {
        guard let first = waypoints.first, let last = waypoints.last,
            zip(waypoints, waypoints.dropFirst()).allSatisfy({ $0.at < $1.at })
        else { return nil }
        self.waypoints = waypoints
        present = first.nanoseconds...max(last.nanoseconds, end?.wholeNanoseconds ?? .min)
    }

    /// The same path, later and further east; a beacon that stays does so until the same end.
    func moved(later: Duration, east metres: Double) -> Trajectory? {
        let isStaying = waypoints.last.map { present.upperBound > $0.nanoseconds } ?? false
        return Trajectory(
            waypoints: waypoints.map { Waypoint(at: $0.at + later, x: $0.x + metres, y: $0.y) },
            until: isStaying ? .nanoseconds(present.upperBound) : nil
        )
    }

    /// The distance to the station in metres; nil while the beacon is not present.
    public func metres(at time: Duration) -> Double? {
        let nanoseconds = time.wholeNanoseconds
        guard present.contains(nanoseconds) else { return nil }
        return metres(at: nanoseconds)
    }

    /// The distance to the station in metres at a time when the beacon is present.
    func metres(at nanoseconds: Int64) -> Double {
        let next = index(after: nanoseconds)
        guard next < waypoints.count else { return waypoints[waypoints.count - 1].metres }
        let (from, to) = (waypoints[next - 1], waypoints[next])
        let share = Double(nanoseconds - from.nanoseconds) / Double(to.nanoseconds - from.nanoseconds)
        let (x, y) = (from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
        return (x * x + y * y).squareRoot()
    }

    /// The index of the first waypoint later than a time, at least the second, by binary search.
    private func index(after nanoseconds: Int64) -> Int {
        var (low, high) = (1, waypoints.count)
        while low < high {
            let middle = (low + high) / 2
            if waypoints[middle].nanoseconds > nanoseconds { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
