public import Beacons
import Glibc

/// The time since boot, suspended time included (clock_gettime(2), CLOCK_BOOTTIME): the live scanners' time line.
public enum BootClock {
    @Sendable
    public static func now() -> ScanInstant {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return ScanInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
