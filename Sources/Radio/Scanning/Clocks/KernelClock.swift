import CClock

/// The kernel's assessment of the wall clock.
public enum KernelClock {
    /// Whether the clock is synchronised to a time source. Queries the kernel and changes nothing (adjtimex(2));
    /// chrony, ntpd and systemd-timesyncd all set this state.
    @Sendable
    public static func isSynchronised() -> Bool {
        var state = timex()
        let answer = adjtimex(&state)
        return answer >= 0 && answer != TIME_ERROR && state.status & STA_UNSYNC == 0
    }
}
