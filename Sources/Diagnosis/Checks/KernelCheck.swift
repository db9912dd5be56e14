/// Whether the kernel may let an advertisement monitor tell each device only once.
///
/// Such kernels leave the controller's filter for duplicates on while they scan for a monitor alone. The fix, “hci_sync: avoid
/// dup filtering when passive scanning with adv monitor” (b5431dc2803a), came with 6.11 and went to 6.10.5 and 6.6.46 on
/// 14 August 2024; whether a distributor added it to an older line cannot be seen from the version.
enum KernelCheck {
    /// The first fixed release of each line that got the fix later than 6.11.
    private static let fixedReleases = [10: 5, 6: 46]

    /// - Parameter release: `6.6.31+rpt-rpi-v8`, as in `/proc/sys/kernel/osrelease`.
    static func judge(release: String?, isMonitorOffered: Bool) -> Check {
        let subject = CheckSubject.kernel
        guard let release, let version = numbers(release) else {
            return subject.notApplicable("the kernel’s version is not known")
        }
        guard !isFixed(version) else { return subject.ok("Linux \(release) delivers every advertisement to monitors") }
        let finding = "Linux \(release) may tell each device only once to an advertisement monitor"
        guard isMonitorOffered else { return subject.notApplicable("\(finding), but none is in use") }
        return subject.warning(
            finding, remedy: "update the kernel to 6.6.46, 6.10.5, 6.11 or later; discovery still hears everything")
    }

    private static func isFixed(_ version: (major: Int, minor: Int, patch: Int)) -> Bool {
        if (version.major, version.minor) >= (6, 11) { return true }
        guard version.major == 6, let fixed = fixedReleases[version.minor] else { return false }
        return version.patch >= fixed
    }

    private static func numbers(_ release: String) -> (major: Int, minor: Int, patch: Int)? {
        let parts = release.split(separator: ".", maxSplits: 2).map { Int($0.prefix { ("0"..."9").contains($0) }) }
        guard parts.count >= 2, let major = parts[0], let minor = parts[1] else { return nil }
        return (major, minor, parts.count > 2 ? parts[2] ?? 0 : 0)
    }
}
