public import Beacons

/// The rotating beacon of a bike, which sends another identity every 1,024 seconds (profile “rot 1”).
public struct BeaconRotation: Codable, Hashable, Sendable {
    /// The beacon's key, 32 hexadecimal digits: only in the answer to the call that made it.
    public var key: String?
    /// The key as a QR code, an SVG document: only with ``key``.
    public var keyCode: String?
    /// How many slots of 1,024 seconds the beacon's clock lagged behind at the last check; negative if it was ahead.
    public var lag: Int64
    /// The time of the last check near the bike, or of the registration. The longer ago this is, the more identities
    /// are searched for.
    public var checked: Timestamp
    /// Whether the registry cannot read the beacon's key, so that stations cannot hear the beacon until its operator
    /// restores the registry's own key; absent means no.
    public var unreadable: Bool?

    /// The values of ``lag``: as many slots as a beacon's clock can show, to either side.
    private static let lagBounds = -4_194_304...4_194_304

    /// Whether the registry cannot read the beacon's key.
    public var isUnreadable: Bool { unreadable == true }

    public init(
        key: String? = nil, keyCode: String? = nil, lag: Int64, checked: Timestamp, unreadable: Bool? = nil
    ) {
        self.unreadable = unreadable
        self.key = key
        self.keyCode = keyCode
        self.lag = lag
        self.checked = checked
    }
}

extension BeaconRotation {
    /// A lag that is out of its bounds becomes the nearest one: programs compute with what a registry sends.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        key = try container.decodeIfPresent(String.self, forKey: .key)
        keyCode = try container.decodeIfPresent(String.self, forKey: .keyCode)
        let lag = try container.decode(Int64.self, forKey: .lag)
        self.lag = min(max(lag, Int64(Self.lagBounds.lowerBound)), Int64(Self.lagBounds.upperBound))
        checked = try container.decode(Timestamp.self, forKey: .checked)
        unreadable = try container.decodeIfPresent(Bool.self, forKey: .unreadable)
    }
}

// Logs and failed tests print values by these.
extension BeaconRotation: CustomStringConvertible {
    public var description: String { "rotating, \(lag) slots behind at \(checked)" }
}

/// Body of `POST /v1/bikes/{id}/beacon/check`: what was heard near the bike just now.
public struct BeaconCheck: Codable, Hashable, Sendable {
    /// The maximum number of identities in one check.
    public static let mostIdentities = 32

    /// 1 to 32 identities. The registry looks for the beacon's among them, and stores none of the others.
    public var identities: [BeaconIdentity]

    public init(identities: [BeaconIdentity]) { self.identities = identities }
}

extension BeaconRotation: WireObject, JSONWritable {
    public static let blank = BeaconRotation(lag: 0, checked: .specimen)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.answered("key", key, .text(32...32))
        fields.answered("keyCode", keyCode, .text(1...100_000, multiline: true))
        fields.answered("lag", lag, .integer(Self.lagBounds))
        fields.answered("checked", checked, .timestamp)
        fields.answered("unreadable", unreadable, .boolean)
    }
}

extension BeaconCheck: WireObject {
    public static let blank = BeaconCheck(identities: [])

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required(
            "identities", &identities,
            .array(of: .object(), 1...Self.mostIdentities, "a list of 1 to \(Self.mostIdentities) identities"))
    }
}
