import CClock

/// Whether the kernel's clock is held to a time source.
public struct ClockState: Hashable, Sendable {
    public let isSynchronised: Bool

    public init(isSynchronised: Bool) {
        self.isSynchronised = isSynchronised
    }

    /// Asks the kernel and changes nothing (adjtimex(2)): whatever keeps time, chrony, ntpd or systemd-timesyncd, tells it.
    @Sendable
    public static func now() -> ClockState {
        var state = timex()
        let answer = adjtimex(&state)
        return ClockState(isSynchronised: answer >= 0 && answer != TIME_ERROR && state.status & STA_UNSYNC == 0)
    }
}
