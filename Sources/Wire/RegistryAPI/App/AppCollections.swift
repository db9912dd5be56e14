import Beacons

// The two collections of the original app, FindMyBike 1.0, in the format that its client uses.

/// Body of `POST /bikes?key=…`.
public struct AppBikeDraft: Codable, Hashable, Sendable {
    /// The secret from an earlier response; if it is absent, the bike is new.
    public var id: String?
    /// The make, 1–64 characters.
    public var make: String
    /// The model, 1–64 characters.
    public var model: String
    /// 100…65535, as the client allows.
    public var beaconMinor: UInt16
    public var missing: Bool
    /// The name of a colour, such as `grey`, at most 64 characters.
    public var colour: String?
    /// The device token of the phone for Apple's push service: hexadecimal digits, at most 200. It is never returned.
    public var deviceToken: String?

    public init(
        id: String? = nil, make: String, model: String, beaconMinor: UInt16, missing: Bool, colour: String? = nil,
        deviceToken: String? = nil
    ) {
        self.id = id
        self.make = make
        self.model = model
        self.beaconMinor = beaconMinor
        self.missing = missing
        self.colour = colour
        self.deviceToken = deviceToken
    }
}

/// Response to `POST /bikes?key=…`, and an element of the response to `GET /bikes?key=…`.
public struct AppBike: Codable, Hashable, Sendable {
    /// For the client that registered the bike, the secret that updates it; for others, an identifier for sightings.
    public var id: String
    public var make: String
    public var model: String
    public var beaconMinor: UInt16
    public var missing: Bool
    public var colour: String

    public init(id: String, make: String, model: String, beaconMinor: UInt16, missing: Bool, colour: String) {
        self.id = id
        self.make = make
        self.model = model
        self.beaconMinor = beaconMinor
        self.missing = missing
        self.colour = colour
    }
}

/// Body of `POST /sightings?key=…`, and its response.
public struct AppSighting: Codable, Hashable, Sendable {
    /// The identifier from `GET /bikes?key=…`.
    public var bikeId: String
    public var date: Timestamp
    /// Degrees, north positive.
    public var latitude: Double
    /// Degrees, east positive.
    public var longitude: Double

    public init(bikeId: String, date: Timestamp, latitude: Double, longitude: Double) {
        self.bikeId = bikeId
        self.date = date
        self.latitude = latitude
        self.longitude = longitude
    }
}

extension AppBikeDraft: WireObject {
    public static let blank = AppBikeDraft(make: "", model: "", beaconMinor: 0, missing: false)

    /// The client sends `null` for unknown values.
    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.optional("id", &id, .text(1...64))
        fields.required("make", &make, .text(1...64))
        fields.required("model", &model, .text(1...64))
        fields.required("beaconMinor", &beaconMinor, .integer(100...0xFFFF))
        fields.required("missing", &missing, .boolean)
        fields.optional("colour", &colour, .text(0...64))
        fields.optional("deviceToken", &deviceToken, .deviceToken)
    }
}

extension AppSighting: WireObject {
    public static let blank = AppSighting(bikeId: "", date: .specimen, latitude: 0, longitude: 0)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("bikeId", &bikeId, .text(1...64))
        fields.required("date", &date, .timestamp)
        fields.required("latitude", &latitude, .number(Place.latitudes, "degrees, north positive"))
        fields.required("longitude", &longitude, .number(Place.longitudes, "degrees, east positive"))
    }
}

extension ValueRule where Self == FormRule<String> {
    /// A device token of Apple's push service.
    fileprivate static var deviceToken: Self {
        FormRule(
            form: "a text of 1 to 200 hexadecimal digits",
            contract: { .type("string", ["pattern": "^[0-9A-Fa-f]{1,200}$"]) }
        ) { text in
            let isToken = (1...200).contains(text.count) && text.allSatisfy { hexadecimalValue($0) != nil }
            return isToken ? String(decoding: text, as: UTF8.self) : nil
        }
    }
}
