import Beacons
import Foundation
import Scanning
import Syntax

/// A message from a gateway that publishes the Bluetooth advertisements that it hears.
///
/// The known gateways are OpenMQTTGateway and Theengs Gateway, which send the manufacturer's data or the decoded fields
/// of an iBeacon, and ESPresense, whose identifiers of iBeacons contain the identity. A message about any other device
/// is a report without data: something was heard.
///
/// Gateways also publish what they have not heard: `{"id": …, "presence": "absent"}` (Theengs Gateway), `{"id": …,
/// "state": "off"}` (OpenMQTTGateway). An advertisement says neither, and has a signal strength or the manufacturer's
/// data.
struct GatewayMessage: Equatable {
    /// The longest payload in bytes; real ones have a few hundred.
    static let maximumLength = 4096
    /// Far more than any gateway sends.
    private static let limits = JSONLimits(depth: 16, values: 1024, key: 64)
    /// The longest manufacturer's data in bytes in an AD structure.
    private static let maximumData = 254

    let address: BluetoothAddress
    /// Whether an advertisement was heard.
    let isAdvertisement: Bool
    /// The signal strength in dBm; nil if the gateway sent an impossible one.
    let rssi: Int8?
    /// Advertising data with at most one structure.
    let data: [UInt8]

    /// Parses the payload of a message; nil if it is not the JSON object of a device.
    init?(_ payload: [UInt8]) {
        guard payload.count <= Self.maximumLength, (try? Self.limits.check(payload)) != nil,
            let fields = try? JSONDecoder().decode(Fields.self, from: Data(payload)),
            fields.id != nil || fields.mac != nil
        else { return nil }
        let known = fields.mac.flatMap { BluetoothAddress($0) } ?? fields.id.flatMap { BluetoothAddress($0) }
        // An identifier may be another text.
        address = known ?? BluetoothAddress(0)
        rssi = fields.rssi.flatMap(Self.integer).flatMap { Advertisement.signalStrength($0) }
        let structure = fields.manufacturerdata.flatMap(Self.structure)
        isAdvertisement =
            (fields.rssi != nil || structure != nil) && fields.presence != "absent" && fields.state != "off"
        data = structure ?? Self.beacon(fields)?.advertisingData ?? []
    }

    /// The fields that are used. A field of another type counts as absent, so that the other fields can still be read.
    private struct Fields: Decodable {
        var id: String?
        var mac: String?
        var rssi: Double?
        var manufacturerdata: String?
        var presence: String?
        var state: String?
        var uuid: String?
        var major: Int?
        var minor: Int?
        var txpower: Double?
        var rssiAtOneMetre: Double?

        enum CodingKeys: String, CodingKey {
            case id, mac, rssi, manufacturerdata, presence, state, uuid, major, minor, txpower
            case rssiAtOneMetre = "rssi@1m"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            func value<Value: Decodable>(_ key: CodingKeys) -> Value? { try? container.decode(Value.self, forKey: key) }
            id = value(.id)
            mac = value(.mac)
            rssi = value(.rssi)
            manufacturerdata = value(.manufacturerdata)
            presence = value(.presence)
            state = value(.state)
            uuid = value(.uuid)
            major = value(.major)
            minor = value(.minor)
            txpower = value(.txpower)
            rssiAtOneMetre = value(.rssiAtOneMetre)
        }
    }

    /// A signal strength as an integer; ESPresense sends averages. Nil if it is too large.
    private static func integer(_ number: Double) -> Int? { Int(exactly: number.rounded()) }

    /// The manufacturer's data as an AD structure.
    private static func structure(_ text: String) -> [UInt8]? {
        guard let data = hexadecimalBytes(text, maximum: maximumData), data.count >= 2 else { return nil }
        var structure = [UInt8(data.count + 1), ADType.manufacturerSpecific]
        structure += data
        return structure
    }

    /// The iBeacon that a gateway has decoded, with a power of 0 if it does not say it; nil if there is none.
    private static func beacon(_ fields: Fields) -> IBeacon? {
        let power = (fields.txpower ?? fields.rssiAtOneMetre).flatMap(integer).flatMap { Int8(exactly: $0) } ?? 0
        let identity = decoded(fields) ?? fields.id.flatMap(identifier)
        return identity.map { IBeacon(identity: $0, measuredPower: power) }
    }

    /// An identity in separate fields.
    private static func decoded(_ fields: Fields) -> BeaconIdentity? {
        guard let uuid = fields.uuid.flatMap({ ProximityUUID($0) }), let major = fields.major.flatMap(number),
            let minor = fields.minor.flatMap(number)
        else { return nil }
        return BeaconIdentity(uuid: uuid, major: major, minor: minor)
    }

    /// A major or minor. TheengsDecoder 2.5 reads the upper half of the numbers as negative.
    private static func number(_ value: Int) -> UInt16? {
        UInt16(exactly: value) ?? Int16(exactly: value).map(UInt16.init(bitPattern:))
    }

    /// An identity in an identifier of ESPresense: `iBeacon:UUID-MAJOR-MINOR`, where older versions write the UUID without hyphens.
    private static func identifier(_ text: String) -> BeaconIdentity? {
        guard text.utf8.count <= 64, let rest = text.dropping(prefix: "iBeacon:") else { return nil }
        let parts = rest.split(at: "-", omittingEmptySubsequences: false)
        guard parts.count == 7 || parts.count == 3 else { return nil }
        let numbers = parts.suffix(2).joined(separator: ":")
        return BeaconIdentity("\(parts.dropLast(2).joined(separator: "-")):\(numbers)")
    }
}
