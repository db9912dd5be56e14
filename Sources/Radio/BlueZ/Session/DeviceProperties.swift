import Beacons
import DBus

/// The content of one signal about a device, as advertising data.
///
/// bluetoothd provides its own digest of a frame; the rest of this program reads AD structures. The digest contains
/// neither flags nor order: manufacturer data has one structure for each company, in the order of the signal.
struct DeviceProperties {
    /// The AD structures; the buffer is reused.
    private(set) var data: [UInt8] = []
    private(set) var rssi: Int16?
    private(set) var isPublic = false
    /// Structures that do not fit into a frame.
    private(set) var malformed = 0

    /// Whether the signal reports a frame, and not another kind of change.
    var isFrame: Bool { rssi != nil || !data.isEmpty }

    /// The signal strength in dBm; nil if the reported value is impossible for a controller.
    var signalStrength: Int8? { rssi.flatMap { Advertisement.signalStrength(Int($0)) } }

    /// Reads an `a{sv}` of `org.bluez.Device1`.
    mutating func read(_ properties: DBusMessageReader) {
        data.removeAll(keepingCapacity: true)
        (rssi, isPublic, malformed) = (nil, false, 0)
        properties.forEachEntry(of: Self.keys) { key, value in
            switch key {
            case 0: rssi = value.int16
            // By company.
            case 1: value.forEachEntry { company, bytes in appendManufacturerData(company, bytes) }
            // By the service's UUID.
            case 2:
                value.forEachEntry(of: Self.services) { _, bytes in
                    appendStructure(ADType.serviceData16, 0xFEAA, bytes)
                }
            default: isPublic = value.isText("public")
            }
        }
    }

    /// ``read(_:)`` knows them by their positions.
    private static let keys = DBusKeys("RSSI", "ManufacturerData", "ServiceData", "AddressType")
    /// Only Eddystone's UUID: no other service is read here.
    private static let services = DBusKeys("0000feaa-0000-1000-8000-00805f9b34fb")

    private mutating func appendManufacturerData(_ company: DBusMessageReader, _ bytes: DBusMessageReader) {
        guard let company = company.uint16 else { return malformed += 1 }
        appendStructure(ADType.manufacturerSpecific, company, bytes)
    }

    /// Appends an AD structure: its length, its type, the number of a company or service, and the bytes of an `ay`.
    private mutating func appendStructure(_ type: UInt8, _ number: UInt16, _ value: DBusMessageReader) {
        let isAppended = value.withBytes { bytes in
            // The length counts the type and the number, too.
            guard let length = UInt8(exactly: bytes.count + 3) else { return false }
            data += [length, type]
            data.append(UInt8(truncatingIfNeeded: number))
            data.append(UInt8(truncatingIfNeeded: number >> 8))
            data.append(contentsOf: bytes)
            return true
        }
        if isAppended != true { malformed += 1 }
    }
}
