import Scanning

/// Whether the kernel's clock is synchronised to a time source.
public struct ClockState: Hashable, Sendable {
    public let isSynchronised: Bool

    public init(isSynchronised: Bool) {
        self.isSynchronised = isSynchronised
    }

    /// The state of this machine's clock.
    @Sendable
    public static func now() -> ClockState {
        ClockState(isSynchronised: KernelClock.isSynchronised())
    }
}
