import Beacons

/// Converts the time stamps of a capture to a time line that never goes back.
///
/// Captures may be made on machines whose clock is set during recording. A stamp up to a second before the previous one
/// counts as disorder: time stands still for it. A longer step back means that the clock was set: time continues from
/// the last point, at the pace of the new stamps. Forward steps are accepted: a Raspberry Pi without a clock battery
/// starts years in the past and is then corrected. The arithmetic saturates, so no stamp can trap.
struct RecordedTime {
    /// The latest time; nil before the first stamp.
    private(set) var now: ScanInstant?
    /// The correction added to each stamp since the clock was last set back.
    private var correction = Duration.zero

    /// The longest step back that counts as disorder.
    private static let disorder = Duration.seconds(1)

    /// The instant on the time line for the next record's stamp.
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
