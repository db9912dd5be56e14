import Beacons

/// Codes of HCI events and of LE Meta's subevents.
enum HCIEventCode {
    static let leMeta: UInt8 = 0x3E
    static let advertisingReport: UInt8 = 0x02
    static let extendedAdvertisingReport: UInt8 = 0x0D
}

/// The fields of advertising reports, shared by the parser and the writer
/// (Core Specification 5.4, volume 4, part E, sections 7.7.65.2 and 7.7.65.13).
enum AdvertisingReport {
    /// The number of bytes before the data of a legacy report; one byte of RSSI follows the data.
    static let legacyHeaderLength = 9
    /// The number of bytes before the data of an extended report.
    static let extendedHeaderLength = 24
    static let maximumLegacyDataLength = 31
    /// The maximum data of one extended report: an event's 255 bytes minus subevent, count and header.
    static let maximumFragmentLength = 229
    /// HCI's value for a signal strength that is not known.
    static let unknownRSSI: Int8 = 127

    /// Whether an extended report's data continues in a later one: bits 5 and 6 of its event type.
    enum DataStatus: UInt16 {
        case complete = 0b00
        case moreToCome = 0b01
        /// The controller lost the rest.
        case truncated = 0b10

        /// The reserved value 3 means no further data: the rest counts as lost.
        init(type: UInt16) {
            self = DataStatus(rawValue: type >> 5 & 0b11) ?? .truncated
        }
    }
}

extension Advertisement.Event {
    /// The events of legacy reports by their type: ADV_IND, ADV_DIRECT_IND, ADV_SCAN_IND, ADV_NONCONN_IND, SCAN_RSP.
    private static let legacyTypes: [Advertisement.Event] = [
        [.connectable, .scannable, .legacy], [.connectable, .directed, .legacy], [.scannable, .legacy], [.legacy],
        [.scanResponse, .legacy],
    ]

    init(legacyType type: UInt8) {
        self = Int(type) < Self.legacyTypes.count ? Self.legacyTypes[Int(type)] : .legacy
    }

    /// The type of the equivalent legacy report; nil if only an extended report can represent it.
    var legacyType: UInt8? {
        Self.legacyTypes.firstIndex(of: self).map { UInt8($0) }
    }

    /// Only bits 0–4 are properties; real controllers also set bits that the specification reserves (0x80xx).
    init(extendedType type: UInt16) {
        self.init(rawValue: type & 0x1F)
    }
}

extension RawSpan {
    /// A device address, transmitted least significant octet first. The caller must check the bounds.
    func bluetoothAddress(_ offset: Int) -> BluetoothAddress {
        BluetoothAddress(
            UInt64(littleEndian(offset, as: UInt32.self))
                | UInt64(littleEndian(offset + 4, as: UInt16.self)) << 32
        )
    }

    /// An address type; a reserved value counts as random.
    func addressKind(_ offset: Int) -> BluetoothAddress.Kind {
        BluetoothAddress.Kind(rawValue: self[byte: offset]) ?? .random
    }

    /// A signal strength in dBm; nil outside the range that HCI defines.
    func rssi(_ offset: Int) -> Int8? {
        Advertisement.signalStrength(Int(Int8(bitPattern: self[byte: offset])))
    }
}
