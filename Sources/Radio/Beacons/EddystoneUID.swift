/// An Eddystone-UID advertisement (Eddystone specification, frame type 0x00): shown by scans, never matched as a bike.
///
/// Layout of the 16-bit service data: 0xFEAA little-endian, frame type 0x00, power at 0 m (1), namespace (10), instance
/// (6), and two reserved bytes that some beacons omit.
public struct EddystoneUID: Hashable, Sendable {
    /// The 10-byte namespace, which an organisation's beacons share.
    public let namespace: Namespace
    /// The 6-byte instance in the low 48 bits: the number of the beacon within its namespace.
    public let instance: UInt64
    /// The signal strength at 1 m in dBm: the transmitted power at 0 m minus 41 dB, clamped to the type's range.
    public let measuredPower: Int8

    /// A namespace of 10 bytes: the first two in `high`, the other eight in `low`.
    public struct Namespace: Hashable, Sendable {
        public let high: UInt16
        public let low: UInt64
    }

    /// Parses 16-bit service data (service UUID included); nil if it is invalid.
    public init?(serviceData bytes: RawSpan) {
        guard bytes.byteCount >= 20,
            bytes.bigEndian(0, as: UInt16.self) == 0xAAFE,
            bytes[byte: 2] == 0x00
        else { return nil }
        measuredPower = Int8(clamping: Int(Int8(bitPattern: bytes[byte: 3])) - 41)
        namespace = Namespace(
            high: bytes.bigEndian(4, as: UInt16.self),
            low: bytes.bigEndian(6, as: UInt64.self)
        )
        instance = UInt64(bytes.bigEndian(14, as: UInt16.self)) << 32 | UInt64(bytes.bigEndian(16, as: UInt32.self))
    }
}
