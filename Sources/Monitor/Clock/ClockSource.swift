public import Beacons
import Foundation
public import RegistryAPI
import Scanning

/// The clocks of a machine, and whether its wall clock can be believed.
public struct ClockSource: Sendable {
    public let boot: BootID
    /// The time since boot.
    public let bootTime: @Sendable () -> ScanInstant
    public let wallTime: @Sendable () -> Timestamp
    /// Whether a time source holds the wall clock.
    public let isSynchronised: @Sendable () -> Bool

    public init(
        boot: BootID, bootTime: @escaping @Sendable () -> ScanInstant,
        wallTime: @escaping @Sendable () -> Timestamp, isSynchronised: @escaping @Sendable () -> Bool
    ) {
        self.boot = boot
        self.bootTime = bootTime
        self.wallTime = wallTime
        self.isSynchronised = isSynchronised
    }

    /// This machine's.
    ///
    /// - Parameter isTrusted: whether the wall clock is right whatever the kernel says of it: it has a battery, or the
    ///   machine is a virtual one.
    public static func system(isTrusted: Bool = false) -> ClockSource {
        ClockSource(
            boot: .current(), bootTime: { BootClock.now() },
            wallTime: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
            isSynchronised: { isTrusted || KernelClock.isSynchronised() }
        )
    }
}
