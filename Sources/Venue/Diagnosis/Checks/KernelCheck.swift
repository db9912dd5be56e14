import Syntax

/// Whether the kernel may report each device only once to an advertisement monitor.
///
/// These kernels leave the controller's duplicate filter on while they scan only for a monitor. The fix, “hci_sync:
/// avoid dup filtering when passive scanning with adv monitor” (b5431dc2803a), was released in 6.11, and in 6.10.5 and
/// 6.6.46 on 14 August 2024; the version does not show whether a distributor added it to an older line.
enum KernelCheck {
    /// The first fixed patch level of each minor version of Linux 6 before 6.11 that got the fix.
    private static let fixedReleases = [10: 5, 6: 46]

    /// - Parameter release: the kernel release as in `/proc/sys/kernel/osrelease`, such as `6.6.31+rpt-rpi-v8`.
    static func judge(release: String?, isMonitorOffered: Bool) -> Check {
        let subject = CheckSubject.kernel
        guard let release, let version = numbers(release) else {
            return subject.notApplicable("the kernel’s version is unknown")
        }
        guard !isFixed(version) else { return subject.ok("Linux \(release) delivers every advertisement to monitors") }
        let finding = "Linux \(release) may report each device to an advertisement monitor only once"
        guard isMonitorOffered else { return subject.notApplicable("\(finding), but none is in use") }
        return subject.warning(
            finding, remedy: "update the kernel to 6.6.46, 6.10.5, 6.11 or later; discovery still hears everything")
    }

    private static func isFixed(_ version: (major: Int, minor: Int, patch: Int)) -> Bool {
        if (version.major, version.minor) >= (6, 11) { return true }
        guard version.major == 6, let fixed = fixedReleases[version.minor] else { return false }
        return version.patch >= fixed
    }

    /// The first numbers of a release; a missing patch level is 0. Nil if it does not begin with two numbers.
    private static func numbers(_ release: String) -> (major: Int, minor: Int, patch: Int)? {
        let parts = release.split(at: ".", maxSplits: 2).map { Int($0.prefix { ("0"..."9").contains($0) }) }
        guard parts.count >= 2, let major = parts[0], let minor = parts[1] else { return nil }
        return (major, minor, parts.count > 2 ? parts[2] ?? 0 : 0)
    }
}
