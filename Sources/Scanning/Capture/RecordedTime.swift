import Beacons

/// Turns the time stamps of a capture into a time line that never runs back.
///
/// Captures are made on machines whose clock is set while they record. A stamp up to a second before the one before is
/// disorder: time stands still for it. A longer step back is a clock that was set: from there on time goes on at the
/// old place, at the pace of the new stamps. Forward steps are believed: a Raspberry Pi without a clock battery
/// starts years ago and is then right. The arithmetic saturates, so no stamp can trap.
struct RecordedTime {
    /// The latest time; nil before the first stamp.
    private(set) var now: ScanInstant?
    /// What is added to each stamp since the clock was last set back.
    private var correction = Duration.zero

    private static let disorder = Duration.seconds(1)

    /// The place on the time line of the next record's stamp.
    mutating func advance(to stamp: ScanInstant) -> ScanInstant {
        var time = stamp.advanced(by: correction)
        if let now, time < now {
            if time.duration(to: now) > Self.disorder { correction = stamp.duration(to: now) }
            time = now
        }
        now = time
        return time
    }
}
