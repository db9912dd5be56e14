/// How a Bluetooth controller is connected to the machine.
public enum ControllerBus: Hashable, Sendable {
    /// By a serial line: built in, and most often one chip with the Wi-Fi, as on a Raspberry Pi.
    case serial
    case usb
    case other

    /// - Parameter path: the controller's place below `/sys/devices`.
    init(devicePath path: String) {
        let components = path.split(separator: "/")
        if components.contains(where: { $0.hasPrefix("usb") }) {
            self = .usb
        } else if components.contains(where: { $0.hasPrefix("serial") || $0.hasPrefix("tty") }) {
            self = .serial
        } else {
            self = .other
        }
    }

    /// The controllers that the kernel knows, whether bluetoothd shows them or not.
    static func controllers(_ files: SystemFiles) -> [String: ControllerBus] {
        let folder = "/sys/class/bluetooth"
        // Connections are listed there too, as hci0:64.
        let names = files.names(in: folder).filter { $0.hasPrefix("hci") && !$0.contains(":") }
        return Dictionary(
            uniqueKeysWithValues: names.map { ($0, ControllerBus(devicePath: files.target("\(folder)/\($0)"))) })
    }
}
