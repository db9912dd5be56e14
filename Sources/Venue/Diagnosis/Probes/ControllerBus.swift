import Syntax

/// The connection of a Bluetooth controller to the machine.
public enum ControllerBus: Hashable, Sendable {
    /// A serial line: built in, and usually on one chip with Wi-Fi, as on a Raspberry Pi.
    case serial
    case usb
    case other

    /// - Parameter path: the controller's path below `/sys/devices`.
    init(devicePath path: String) {
        let components = path.split(at: "/")
        if components.contains(where: { $0.begins(with: "usb") }) {
            self = .usb
        } else if components.contains(where: { $0.begins(with: "serial") || $0.begins(with: "tty") }) {
            self = .serial
        } else {
            self = .other
        }
    }

    /// The kernel's controllers, whether or not bluetoothd provides them.
    static func controllers(_ files: SystemFiles) -> [String: ControllerBus] {
        let folder = "/sys/class/bluetooth"
        // Connections are listed there too, for example as hci0:64.
        let names = files.names(in: folder).filter { $0.begins(with: "hci") && !$0.has(":") }
        return Dictionary(
            uniqueKeysWithValues: names.map { ($0, ControllerBus(devicePath: files.target("\(folder)/\($0)"))) })
    }
}
