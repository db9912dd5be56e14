import BlueZ

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
