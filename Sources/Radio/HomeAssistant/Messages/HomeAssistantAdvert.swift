import Beacons
import Syntax

/// The latest that Home Assistant knows of an address: the data of its frames together, the signal strength and the
/// time of the newest, and the radio that heard it best.
struct HomeAssistantAdvert: Equatable {
    /// The most entries of manufacturers or services that are read.
    static let maximumStructures = 16
    /// The most bytes of data in a structure, whose length has one byte and counts three more.
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
        // With colons, which Home Assistant always writes.
        guard let text = item.address, text.utf8.count == 17, let address = BluetoothAddress(text),
            let source = item.radio, let time = item.time
        else { return nil }
        self.address = address
        self.source = source
        self.time = time
        rssi = item.rssi.flatMap { Int(exactly: $0) }.flatMap { Advertisement.signalStrength($0) }
        data = Self.data(item)
    }

    /// The structures of an item as advertising data; those that cannot be read are left out.
    private static func data(_ item: HomeAssistantMessage.Item) -> [UInt8] {
        var data: [UInt8] = []
        for (key, digits) in first(item.manufacturerData) {
            guard let company = UInt16(digits: key) else { continue }
            append(ADType.manufacturerSpecific, company, digits, to: &data)
        }
        for (key, digits) in first(item.serviceData) {
            guard let short = key.dropping(prefix: "0000")?.dropping(suffix: baseUUID), short.utf8.count == 4,
                let bytes = hexadecimalBytes(short, maximum: 2)
            else { continue }
            let service = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
            append(ADType.serviceData16, service, digits, to: &data)
        }
        return data
    }

    /// The first entries in the order of their keys, so that the same advert has the same bytes.
    private static func first(_ entries: [String: String]?) -> ArraySlice<(key: String, value: String)> {
        (entries ?? [:]).sorted { $0.key < $1.key }.prefix(maximumStructures)
    }

    /// Appends an AD structure whose data begin with a number, that of a company or a service.
    private static func append(_ type: UInt8, _ number: UInt16, _ digits: String, to data: inout [UInt8]) {
        guard let bytes = hexadecimalBytes(digits, maximum: maximumData) else { return }
        data += [UInt8(bytes.count + 3), type, UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
        data += bytes
    }
}
