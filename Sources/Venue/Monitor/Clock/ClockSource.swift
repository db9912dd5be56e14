public import Beacons
import Foundation
public import RegistryAPI
import Scanning

/// The clocks of a machine, and whether its wall clock can be trusted.
public struct ClockSource: Sendable {
    public let boot: BootID
    /// The time since boot.
    public let bootTime: @Sendable () -> ScanInstant
    /// The time that the wall clock shows, right or wrong.
    public let wallTime: @Sendable () -> Timestamp
    /// Whether the wall clock is synchronised to a time source.
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

    /// The clocks of this machine.
    ///
    /// - Parameter isTrusted: whether the wall clock is right regardless of what the kernel reports, because the
    ///   machine has a clock battery or is virtual.
    public static func system(isTrusted: Bool = false) -> ClockSource {
        ClockSource(
            boot: .current(), bootTime: { BootClock.now() },
            wallTime: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
            isSynchronised: { isTrusted || KernelClock.isSynchronised() }
        )
    }
}

/// The identifier of one boot of the machine. Readings of the boot clock are comparable only within one boot.
public struct BootID: Hashable, Sendable {
    let text: String

    public init(_ text: String) {
        self.text = text
    }

    /// The running kernel's boot identifier (random(4)). If it cannot be read, a unique identifier, so that no earlier
    /// reading is attributed to this boot.
    public static func current() -> BootID {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return BootID(text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? UUID().uuidString)
    }
}
