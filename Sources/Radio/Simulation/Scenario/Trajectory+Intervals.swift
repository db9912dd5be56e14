extension Trajectory {
    /// The times at which the beacon is present and at most `radius` metres from the station, in nanoseconds since the
    /// scenario's start, none of them after `end`; in order.
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
        // Rounding must not leave the line, nor swap the two ends.
        return first...min(max(first, last), to.nanoseconds)
    }
}
