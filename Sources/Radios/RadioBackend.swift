/// By what means a radio is listened to.
public enum RadioBackend: String, CaseIterable, Hashable, Sendable {
    /// Through bluetoothd: needs no rights of its own, and shares the radio with other programs.
    case bluez
    /// Through a raw HCI socket: for dense places; needs CAP_NET_RAW.
    case hci
    /// Hears what other programs scan for and changes nothing; needs CAP_NET_RAW.
    case monitorChannel = "monitor-channel"
}
