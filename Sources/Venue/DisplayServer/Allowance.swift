/// A limit on uses in an hour, by key, with a bound on the keys.
struct Allowance<Key: Hashable> {
    /// The hour in which uses are counted.
    private struct Window {
        let began: ContinuousClock.Instant
        var count: Int
    }

    private static var length: Duration { .seconds(3600) }
    private let maximum: Int
    private let capacity: Int
    private var windows: [Key: Window] = [:]

    /// - Parameters:
    ///   - maximum: the number of uses in an hour.
    ///   - capacity: the number of keys that are counted; beyond it, the key with the fewest uses is forgotten.
    init(_ maximum: Int, capacity: Int) {
        self.maximum = maximum
        self.capacity = capacity
    }

    /// Counts a use, unless there were too many in the hour that began with the first.
    ///
    /// - Returns: the seconds to wait if there were too many; nil if this one is counted.
    mutating func take(_ key: Key, at now: ContinuousClock.Instant) -> Int? {
        if let window = windows[key], window.began.duration(to: now) < Self.length {
            guard window.count < maximum else {
                return Int((Self.length - window.began.duration(to: now)).components.seconds) + 1
            }
            windows[key]?.count += 1
            return nil
        }
        if windows.count >= capacity, windows[key] == nil,
            // One at its limit is not displaced by many with one each.
            let least = windows.min(by: { ($0.value.count, $0.value.began) < ($1.value.count, $1.value.began) })?.key
        {
            windows[least] = nil
        }
        windows[key] = Window(began: now, count: 1)
        return nil
    }
}
