import Beacons

extension AdvertisementBatch {
    /// The maximum length of advertising data (Core Specification 5.4, volume 6, part B, section 2.3.4.9).
    private static let maximumDataLength = 1650
    private static let maximumAddress: UInt64 = 0xFFFF_FFFF_FFFF

    /// Appends a report of a proxy, with the time at which it arrived; a report that no radio can have received counts
    /// as malformed.
    ///
    /// - Parameter bytes: those that the report was read from.
    mutating func append(_ report: APIBluetoothLERawAdvertisement, of bytes: RawSpan, at time: ScanInstant) {
        let kind = UInt8(exactly: report.addressType).flatMap(BluetoothAddress.Kind.init(rawValue:))
        guard let kind, report.address <= Self.maximumAddress, report.data.count <= Self.maximumDataLength else {
            malformed += 1
            return
        }
        append(
            time: time, address: BluetoothAddress(report.address), addressKind: kind,
            rssi: Advertisement.signalStrength(Int(report.rssi)),
            // A proxy does not say what kind of event it heard.
            event: [], data: bytes.extracting(report.data))
    }
}
