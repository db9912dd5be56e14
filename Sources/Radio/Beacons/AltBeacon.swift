/// An AltBeacon advertisement (AltBeacon Protocol Specification 1.0): shown by scans, never matched as a bike.
///
/// Layout of the manufacturer-specific data: any company little-endian, code 0xBEAC, 20 bytes of identifier, reference
/// power (1), and one byte reserved for the manufacturer, which some beacons omit.
public struct AltBeacon: Hashable, Sendable {
    /// The Bluetooth company identifier of the manufacturer.
    public let company: UInt16
    /// The 20-byte identifier, divided as in an iBeacon: 16 + 2 + 2 bytes.
    public let identity: BeaconIdentity
    /// Signal strength at 1 m in dBm.
    public let measuredPower: Int8

    /// The minimum length of manufacturer-specific data, including the company but not the reserved byte.
    public static let manufacturerDataLength = 25

    /// Parses manufacturer-specific data (company included); nil if it is invalid.
    public init?(manufacturerData bytes: RawSpan) {
        guard bytes.byteCount >= Self.manufacturerDataLength, bytes.bigEndian(2, as: UInt16.self) == 0xBEAC
        else { return nil }
        company = bytes.littleEndian(0, as: UInt16.self)
        identity = BeaconIdentity(
            uuid: ProximityUUID(high: bytes.bigEndian(4, as: UInt64.self), low: bytes.bigEndian(12, as: UInt64.self)),
            major: bytes.bigEndian(20, as: UInt16.self),
            minor: bytes.bigEndian(22, as: UInt16.self)
        )
        measuredPower = Int8(bitPattern: bytes[byte: 24])
    }
}
