/// An iBeacon advertisement: an identity and the measured power at one metre.
///
/// Layout of the manufacturer-specific data (Apple, Proximity Beacon Specification, release 1): company 0x004C
/// little-endian, type 0x02, length 0x15, proximity UUID (16), major (2), minor (2), measured power (1), all big-endian.
public struct IBeacon: Hashable, Sendable {
    public let identity: BeaconIdentity
    /// The signal strength at 1 m in dBm, as claimed by the beacon; anybody can send any value.
    public let measuredPower: Int8

    /// The plausible values in dBm. Over the first metre, radio at 2.4 GHz loses 40 dB: a transmitter of +20 dBm, the
    /// strongest allowed, leaves −20; one of −40 dBm with a poor antenna leaves −100.
    public static let plausiblePowers: ClosedRange<Int8> = -100 ... -20

    @inlinable
    public init(identity: BeaconIdentity, measuredPower: Int8) {
        self.identity = identity
        self.measuredPower = measuredPower
    }

    /// Length of the manufacturer-specific data, company included.
    public static let manufacturerDataLength = 25

    /// Parses manufacturer-specific data (company included); nil if it is invalid.
    ///
    /// Bytes after the beacon's own 21 are allowed, since some beacons append a battery level.
    @inlinable
    public init?(manufacturerData bytes: RawSpan) {
        // Apple's other frames (Nearby, Handoff, Find My) are far more frequent: one comparison rejects them.
        guard bytes.byteCount >= Self.manufacturerDataLength,
            bytes.bigEndian(0, as: UInt32.self) == 0x4C00_0215
        else { return nil }
        self.init(
            identity: BeaconIdentity(
                uuid: ProximityUUID(
                    high: bytes.bigEndian(4, as: UInt64.self),
                    low: bytes.bigEndian(12, as: UInt64.self)
                ),
                major: bytes.bigEndian(20, as: UInt16.self),
                minor: bytes.bigEndian(22, as: UInt16.self)
            ),
            measuredPower: Int8(bitPattern: bytes[byte: 24])
        )
    }

    /// The first iBeacon among the AD structures of advertising or scan response data.
    ///
    /// Found with or without flags, after any other structures, and before a truncated one.
    @inlinable
    public init?(advertisingData bytes: RawSpan) {
        var structures = ADStructures()
        while let structure = structures.next(in: bytes) {
            guard structure.type == ADType.manufacturerSpecific,
                let beacon = IBeacon(manufacturerData: bytes.extracting(structure.data))
            else { continue }
            self = beacon
            return
        }
        return nil
    }
}

extension IBeacon {
    /// The manufacturer-specific data, company included: 25 bytes.
    public var manufacturerData: [UInt8] {
        var bytes: [UInt8] = [0x4C, 0x00, 0x02, 0x15]
        bytes.reserveCapacity(Self.manufacturerDataLength)
        bytes.append(bigEndian: identity.uuid.high)
        bytes.append(bigEndian: identity.uuid.low)
        bytes.append(bigEndian: identity.major)
        bytes.append(bigEndian: identity.minor)
        bytes.append(UInt8(bitPattern: measuredPower))
        return bytes
    }

    /// Complete advertising data: flags (LE General Discoverable, BR/EDR not supported) and the beacon, 30 bytes.
    public var advertisingData: [UInt8] {
        [0x02, ADType.flags, 0x06, 0x1A, ADType.manufacturerSpecific] + manufacturerData
    }
}

extension [UInt8] {
    /// Appends the bytes of an integer, most significant first.
    package mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}
