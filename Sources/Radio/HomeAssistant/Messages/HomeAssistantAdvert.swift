import Beacons
import Syntax

/// The latest that Home Assistant knows of an address: the data of its frames together, the signal strength and the
/// time of the newest, and the radio that heard it best.
struct HomeAssistantAdvert: Equatable {
    /// The most entries of manufacturers or services that are read.
    static let maximumStructures = 16
    private static let maximumData = 252
    /// The end of the UUIDs with 16 bits (Core Specification 5.4, volume 3, part B, section 2.5.1).
    private static let baseUUID = "-0000-1000-8000-00805f9b34fb"

    let address: BluetoothAddress
    /// The address of the adapter or proxy.
    let source: String
    /// The wall time of the newest frame in seconds, by Home Assistant's clock.
    let time: Double
    let rssi: Int8?
    /// Advertising data with the manufacturers' and the services' data.
    let data: [UInt8]

    /// Returns nil if the item is no advert.
    init?(_ item: HomeAssistantMessage.Item) {
        guard let address = item.address.flatMap({ $0.utf8.count == 17 ? BluetoothAddress($0) : nil }),
            let source = item.radio, let time = item.time
        else { return nil }
        self.address = address
        self.source = source
        self.time = time
        rssi = item.rssi.flatMap { Int(exactly: $0) }.flatMap { Advertisement.signalStrength($0) }
        data = Self.data(item)
    }

    private static func data(_ item: HomeAssistantMessage.Item) -> [UInt8] {
        var data: [UInt8] = []
        // In order, so that the same advert has the same bytes.
        for (key, digits) in (item.manufacturerData ?? [:]).sorted(by: { $0.key < $1.key }).prefix(maximumStructures) {
            guard let company = UInt16(digits: key) else { continue }
            append(ADType.manufacturerSpecific, company, digits, to: &data)
        }
        for (key, digits) in (item.serviceData ?? [:]).sorted(by: { $0.key < $1.key }).prefix(maximumStructures) {
            guard let short = key.dropping(prefix: "0000")?.dropping(suffix: baseUUID), short.utf8.count == 4,
                let bytes = hexadecimalBytes(short, maximum: 2)
            else { continue }
            let service = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
            append(ADType.serviceData16, service, digits, to: &data)
        }
        return data
    }

    /// Appends an AD structure whose data begin with a number.
    private static func append(_ type: UInt8, _ number: UInt16, _ digits: String, to data: inout [UInt8]) {
        guard let bytes = hexadecimalBytes(digits, maximum: maximumData) else { return }
        data += [UInt8(bytes.count + 3), type, UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
        data += bytes
    }
}
