import Beacons

/// A command to a controller: opcode and parameters (Core Specification 5.4, volume 4, part E, section 5.4.1).
struct HCICommand: Hashable, Sendable {
    let opcode: Opcode
    var parameters: [UInt8] = []

    /// The commands that scanning needs; sections 7.3 and 7.8 of the same part.
    enum Opcode: UInt16, Sendable {
        case setEventMask = 0x0C01
        case reset = 0x0C03
        case setLEEventMask = 0x2001
        case readLocalLEFeatures = 0x2003
        case setScanParameters = 0x200B
        case setScanEnable = 0x200C
        case setExtendedScanParameters = 0x2041
        case setExtendedScanEnable = 0x2042

        /// Whether it changes the controller's scan, so that its use by another program ends our scan.
        var changesScan: Bool {
            switch self {
            case .reset, .setScanParameters, .setScanEnable, .setExtendedScanParameters, .setExtendedScanEnable: true
            case .setEventMask, .setLEEventMask, .readLocalLEFeatures: false
            }
        }

        /// The command's name in the specification.
        var name: String {
            switch self {
            case .setEventMask: "Set Event Mask"
            case .reset: "Reset"
            case .setLEEventMask: "LE Set Event Mask"
            case .readLocalLEFeatures: "LE Read Local Supported Features"
            case .setScanParameters: "LE Set Scan Parameters"
            case .setScanEnable: "LE Set Scan Enable"
            case .setExtendedScanParameters: "LE Set Extended Scan Parameters"
            case .setExtendedScanEnable: "LE Set Extended Scan Enable"
            }
        }
    }

    /// The packet to send, beginning with the H4 packet type.
    var packet: [UInt8] {
        var packet = [HCIPacketType.command.rawValue]
        packet.append(littleEndian: opcode.rawValue)
        packet.append(UInt8(parameters.count))
        return packet + parameters
    }
}

extension HCICommand {
    static let reset = HCICommand(opcode: .reset)
    static let readLocalLEFeatures = HCICommand(opcode: .readLocalLEFeatures)

    /// The default events and LE Meta (bit 61).
    static let setEventMask = HCICommand(
        opcode: .setEventMask, parameters: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x00, 0x20]
    )

    /// LE Advertising Report (bit 1) and LE Extended Advertising Report (bit 12), and no other events.
    static let setLEEventMask = HCICommand(opcode: .setLEEventMask, parameters: [0x02, 0x10, 0, 0, 0, 0, 0, 0])

    /// Sets the scan parameters, with a public own address, and accepting every advertiser.
    static func setParameters(_ kind: ScanKind, _ options: HCIScanOptions) -> HCICommand {
        var timing = [UInt8(options.isActive ? 1 : 0)]
        timing.append(littleEndian: options.intervalUnits)
        timing.append(littleEndian: options.windowUnits)
        return switch kind {
        case .legacy: HCICommand(opcode: .setScanParameters, parameters: timing + [0, 0])
        // Only on LE 1M, where iBeacons are.
        case .extended: HCICommand(opcode: .setExtendedScanParameters, parameters: [0, 0, 0x01] + timing)
        }
    }

    /// Enables or disables the scan. Duplicates are never filtered: otherwise a beacon that stays would be heard only
    /// once. Extended: until disabled, without periods.
    static func setEnable(_ kind: ScanKind, _ isEnabled: Bool) -> HCICommand {
        let enable: [UInt8] = [isEnabled ? 1 : 0, 0]
        return switch kind {
        case .legacy: HCICommand(opcode: .setScanEnable, parameters: enable)
        case .extended: HCICommand(opcode: .setExtendedScanEnable, parameters: enable + [0, 0, 0, 0])
        }
    }
}

/// The two families of scan commands; a controller accepts only one of them until its next reset
/// (Core Specification 5.4, volume 4, part E, section 3.1.1).
enum ScanKind: Sendable {
    case legacy
    case extended

    /// The other family.
    var other: ScanKind { self == .legacy ? .extended : .legacy }

    /// Decides by bit 12 of the LE features, LE Extended Advertising (volume 6, part B, section 4.6), and not by the
    /// version: some controllers of Bluetooth 5.0 lack the feature.
    init(features: UInt64) {
        self = features >> 12 & 1 == 1 ? .extended : .legacy
    }
}

/// The octet before each packet (Core Specification 5.4, volume 4, part A, section 2).
enum HCIPacketType: UInt8 {
    case command = 0x01
    case asynchronousData = 0x02
    case synchronousData = 0x03
    case event = 0x04
    case isochronousData = 0x05
}

extension [UInt8] {
    /// Appends the bytes of an integer, least significant first.
    mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
