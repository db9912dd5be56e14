import BlueZ

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
