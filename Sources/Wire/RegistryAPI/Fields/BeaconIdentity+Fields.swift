public import Beacons

extension BeaconIdentity: WireObject {
    public static let blank = BeaconIdentity(uuid: .specimen, major: 0, minor: 0)

    public mutating func describe(_ fields: inout some FieldCoder) {
        var (uuid, major, minor) = (uuid, major, minor)
        fields.required("uuid", &uuid, .proximityUUID)
        fields.required("major", &major, .integer(0...0xFFFF))
        fields.required("minor", &minor, .integer(0...0xFFFF))
        self = BeaconIdentity(uuid: uuid, major: major, minor: minor)
    }
}
