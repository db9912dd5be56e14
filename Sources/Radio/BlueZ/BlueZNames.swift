import DBus
import Syntax

/// Names of bluetoothd's D-Bus interfaces (bluez, doc/org.bluez.Adapter.rst and related files).
enum BlueZNames {
    static let bus = "org.bluez"
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let monitor = "org.bluez.AdvertisementMonitor1"
    static let monitorManager = "org.bluez.AdvertisementMonitorManager1"
    static let advertisement = "org.bluez.LEAdvertisement1"
    static let advertisingManager = "org.bluez.LEAdvertisingManager1"
    static let properties = "org.freedesktop.DBus.Properties"
    static let objectManager = "org.freedesktop.DBus.ObjectManager"
    static let root = "/org/bluez"

    static func path(ofAdapter name: String) -> String { "\(root)/\(name)" }

    /// The name of the adapter at a path, such as `hci0`; nil for any other object.
    static func adapterName(_ path: String) -> String? {
        guard let name = path.dropping(prefix: root + "/"), !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")) else {
            return nil
        }
        return String(name)
    }
}

/// Names of errors in bluetoothd's replies.
enum BlueZErrorName {
    static let inProgress = "org.bluez.Error.InProgress"
    static let notReady = "org.bluez.Error.NotReady"
}
