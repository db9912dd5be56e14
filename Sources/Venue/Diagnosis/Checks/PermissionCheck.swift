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
