import Scanning

/// Whether the times of sightings can be trusted.
enum ClockCheck {
    static func judge(_ clock: ClockState) -> Check {
        let subject = CheckSubject.clock
        guard !clock.isSynchronised else { return subject.ok("the clock is synchronised") }
        return subject.warning(
            "the clock is not synchronised: times of visits are marked uncertain, and certificates may seem invalid",
            remedy: "sudo timedatectl set-ntp true, and allow outgoing traffic to UDP port 123")
    }
}

/// Whether the kernel's clock is synchronised to a time source.
public struct ClockState: Hashable, Sendable {
    public let isSynchronised: Bool

    public init(isSynchronised: Bool) {
        self.isSynchronised = isSynchronised
    }

    /// The state of this machine's clock.
    @Sendable
    public static func current() -> ClockState {
        ClockState(isSynchronised: KernelClock.isSynchronised())
    }
}
