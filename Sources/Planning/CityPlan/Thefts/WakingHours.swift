/// The hours in which people ride and vehicles drive, each day the same. Times of day are seconds since midnight.
enum WakingHours {
    /// 6 o’clock.
    static let begin = 6 * 3600.0
    /// 22 o’clock.
    static let end = 22 * 3600.0
    /// How long they are each day, in seconds.
    static let length = end - begin

    /// The time after this many seconds within these hours; those of the nights do not count.
    ///
    /// - Parameter start: in seconds since some midnight, as the result.
    static func time(after start: Double, _ seconds: Double) -> Double {
        var day = (start / 86_400).rounded(.down)
        var second = start - day * 86_400
        if second > end { (day, second) = (day + 1, begin) }
        let waking = max(0, second - begin) + seconds
        let days = (waking / length).rounded(.down)
        return (day + days) * 86_400 + begin + (waking - days * length)
    }
}
