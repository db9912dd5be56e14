import Syntax

/// Whether bluetoothd is running, and whether its version has been tested with this program.
enum DaemonCheck {
    /// The version in Debian 12 and Raspberry Pi OS, the oldest that was tested.
    private static let oldestTried = (5, 66)

    static func judge(_ state: BluetoothState, version: String?) -> Check {
        let subject = CheckSubject.daemon
        switch state {
        case .noBus(let reason):
            return subject.failure(
                "the system bus cannot be used: \(reason)",
                remedy: "sudo systemctl start dbus; on Debian: apt install dbus")
        case .notRunning:
            return subject.failure(
                version.map { "bluetoothd \($0) is installed, but not running" } ?? "bluetoothd is not running",
                remedy: "sudo systemctl enable --now bluetooth; on Debian: apt install bluez")
        case .silent(_, let reason):
            return subject.failure(
                "bluetoothd does not answer: \(reason)", remedy: "sudo systemctl restart bluetooth")
        case .denied, .running:
            guard let version else { return subject.ok("bluetoothd is running; its version is unknown") }
            guard !isOlder(version) else {
                return subject.warning(
                    "bluetoothd \(version) is running; the oldest tested version is 5.66",
                    remedy: "update the system, or at least the package bluez")
            }
            return subject.ok("bluetoothd \(version) is running")
        }
    }

    private static func isOlder(_ version: String) -> Bool {
        let parts = version.split(at: ".").compactMap { Int($0) }
        guard parts.count == 2 else { return false }
        return (parts[0], parts[1]) < oldestTried
    }
}
