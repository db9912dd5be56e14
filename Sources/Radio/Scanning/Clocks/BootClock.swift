public import Beacons
import Glibc

/// A clock that reads a scanner's time line.
public protocol ScanClock: Clock<Duration> where Instant == ScanInstant {}

/// The time since the machine started, including suspension (CLOCK_BOOTTIME): the time line of every live scanner.
public struct BootClock: ScanClock {
    public init() {}

    public var now: ScanInstant { Self.now() }

    /// The current time; for use as a function.
    @Sendable
    public static func now() -> ScanInstant {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return ScanInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    public var minimumResolution: Duration { .nanoseconds(1) }

    public func sleep(until deadline: ScanInstant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(for: now.duration(to: deadline), tolerance: tolerance)
    }
}
