import CBluetooth
import Glibc
import OperatingSystem

/// An adapter of the kernel that can be powered and reset; needs CAP_NET_ADMIN (hci.c of the kernel).
///
/// These calls wait for the controller, up to seconds: they run on a separate queue.
actor HCIDevice {
    private let executor = QueueExecutor(label: "HCIDevice")
    private let index: UInt16

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(index: UInt16) {
        self.index = index
    }

    func powerOn() throws(HCIError) {
        try control(.powerOn, findmybike_hci_device_up, unless: EALREADY)
    }

    func powerCycle() throws(HCIError) {
        try control(.powerOff, findmybike_hci_device_down)
        try powerOn()
    }

    func reset() throws(HCIError) {
        try control(.reset, findmybike_hci_device_reset)
    }

    /// Makes a request of the kernel about the adapter.
    ///
    /// - Parameter accepted: an errno that is no failure.
    private func control(_ action: HCIError.Action, _ request: UInt, unless accepted: CInt = 0) throws(HCIError) {
        let target = "hci\(index)"
        let descriptor = socket(AF_BLUETOOTH, CInt(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), BTPROTO_HCI)
        guard descriptor >= 0 else { throw .system(action, target: target, code: errno) }
        defer { close(descriptor) }
        guard ioctl(descriptor, request, CInt(index)) == 0 || errno == accepted else {
            throw .system(action, target: target, code: errno)
        }
    }
}
