/// The beacon formats that a scan distinguishes.
public enum BeaconFrame: Hashable, Sendable {
    case iBeacon(IBeacon)
    case altBeacon(AltBeacon)
    case eddystoneUID(EddystoneUID)

    /// The first beacon of any known format among the AD structures of advertising data; an iBeacon takes precedence
    /// over all others. Nil if there is no beacon.
    public init?(advertisingData bytes: RawSpan) {
        var other: BeaconFrame?
        var structures = ADStructures()
        while let structure = structures.next(in: bytes) {
            let data = bytes.extracting(structure.data)
            switch structure.type {
            case ADType.manufacturerSpecific:
                if let beacon = IBeacon(manufacturerData: data) {
                    self = .iBeacon(beacon)
                    return
                }
                if other == nil { other = AltBeacon(manufacturerData: data).map(BeaconFrame.altBeacon) }
            case ADType.serviceData16:
                if other == nil { other = EddystoneUID(serviceData: data).map(BeaconFrame.eddystoneUID) }
            default:
                continue
            }
        }
        guard let other else { return nil }
        self = other
    }

    /// The signal strength at 1 m in dBm, as claimed by the beacon.
    public var measuredPower: Int8 {
        switch self {
        case .iBeacon(let beacon): beacon.measuredPower
        case .altBeacon(let beacon): beacon.measuredPower
        case .eddystoneUID(let beacon): beacon.measuredPower
        }
    }
}
