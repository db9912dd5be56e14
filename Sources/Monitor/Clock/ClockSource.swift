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

/// One run of the machine: readings of the boot clock mean something only within it.
public struct BootID: Hashable, Sendable {
    let text: String

    public init(_ text: String) {
        self.text = text
    }

    /// The running kernel's (random(4)). Where it cannot be read, one that is like no other, so that nothing is taken for
    /// a reading of this run that is none.
    public static func current() -> BootID {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return BootID(text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? UUID().uuidString)
    }
}
