import Glibc
public import RegistryAPI

/// A source of the current time: the system, or a test.
public struct WallClock: Sendable {
    private let read: @Sendable () -> Timestamp

    public init(_ read: @escaping @Sendable () -> Timestamp) { self.read = read }

    public var now: Timestamp { read() }

    /// The system's CLOCK_REALTIME.
    public static let system = WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
