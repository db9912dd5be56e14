import BlueZ
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

    /// Whether a version is older than the oldest tested one; false if it is not two numbers.
    private static func isOlder(_ version: String) -> Bool {
        let parts = version.split(at: ".").compactMap { Int($0) }
        guard parts.count == 2 else { return false }
        return (parts[0], parts[1]) < oldestTried
    }
}

/// Whether this user may communicate with bluetoothd.
enum PermissionCheck {
    static func judge(_ state: BluetoothState) -> Check {
        let subject = CheckSubject.permission
        switch state {
        case .denied:
            return subject.failure(
                "the bus does not let this user talk to bluetoothd",
                remedy: "sudo usermod --append --groups bluetooth USER, then log in again or restart the service")
        case .running: return subject.ok("this user may talk to bluetoothd")
        case .noBus, .notRunning, .silent: return subject.notApplicable("bluetoothd does not answer")
        }
    }
}

/// Whether bluetoothd offers its advertisement monitor.
enum MonitorCheck {
    static func judge(_ state: BluetoothState) -> Check {
        let subject = CheckSubject.monitor
        guard let adapters = state.adapters else { return subject.notApplicable("bluetoothd does not answer") }
        guard !adapters.isEmpty else { return subject.notApplicable("there is no adapter") }
        let without = adapters.filter { !$0.offersMonitor }.map(\.name)
        guard without.isEmpty else {
            return subject.warning(
                "\(without.joined(separator: ", ")) has no advertisement monitor; the program uses only discovery",
                remedy:
                    "set Experimental = true under [General] in /etc/bluetooth/main.conf; sudo systemctl restart bluetooth"
            )
        }
        return subject.ok("bluetoothd supports it")
    }
}

/// Whether there is an adapter, and whether it is on.
enum AdapterCheck {
    /// - Parameter controllers: the names of the kernel's controllers, such as `hci0`.
    static func judge(_ state: BluetoothState, controllers: [String]) -> Check {
        let subject = CheckSubject.adapter
        guard let adapters = state.adapters else {
            guard controllers.isEmpty else { return subject.notApplicable("bluetoothd does not answer") }
            return subject.failure("the kernel has no Bluetooth controller", remedy: plugIn)
        }
        guard !adapters.isEmpty else {
            guard !controllers.isEmpty else {
                return subject.failure("there is no Bluetooth adapter", remedy: plugIn)
            }
            return subject.failure(
                "the kernel has \(list(controllers)), but bluetoothd shows no adapter",
                remedy:
                    "sudo systemctl restart bluetooth; if that fails, replug the adapter, or look for firmware errors in dmesg"
            )
        }
        let off = adapters.filter { !$0.isPowered }.map(\.name)
        let on = adapters.filter(\.isPowered).map { $0.address.isEmpty ? $0.name : "\($0.name) (\($0.address))" }
        guard !on.isEmpty else {
            return subject.failure("\(list(off)) is off", remedy: "bluetoothctl power on")
        }
        return subject.ok("\(list(on)) is on" + (off.isEmpty ? "" : ", \(list(off)) is off"))
    }

    private static let plugIn =
        "plug in a USB adapter; on a Raspberry Pi, remove dtoverlay=disable-bt from /boot/firmware/config.txt and reboot"

    private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
