import CClock

/// The kernel's own judgement of the wall clock.
public enum KernelClock {
    /// Whether the clock is held to a time source. Asks the kernel and changes nothing (adjtimex(2)): whatever keeps time,
    /// chrony, ntpd or systemd-timesyncd, tells it.
    @Sendable
    public static func isSynchronised() -> Bool {
        var state = timex()
        let answer = adjtimex(&state)
        return answer >= 0 && answer != TIME_ERROR && state.status & STA_UNSYNC == 0
    }
}
