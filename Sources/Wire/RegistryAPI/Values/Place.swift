private import Glibc

/// A position on Earth (WGS 84).
public struct Place: Codable, Hashable, Sendable {
    /// Degrees, −90…90, north positive.
    public var latitude: Double
    /// Degrees, −180…180, east positive.
    public var longitude: Double
    /// Radius in metres within which the true position lies with 68 % confidence, 0…10,000; absent if unknown.
    public var accuracy: Double?

    static let latitudes = -90...90
    static let longitudes = -180...180
    static let accuracies = 0...10_000

    /// Creates a place. Adding zero turns negative zero into positive zero: a database does not store the sign of zero,
    /// and the audit's record of a place must match the place.
    public init(latitude: Double, longitude: Double, accuracy: Double? = nil) {
        self.latitude = latitude + 0
        self.longitude = longitude + 0
        self.accuracy = accuracy.map { $0 + 0 }
    }

    /// Whether all numbers are within their ranges; validates values from files and peers.
    public var isOnEarth: Bool {
        Self.contains(Self.latitudes, latitude) && Self.contains(Self.longitudes, longitude)
            && accuracy.map { Self.contains(Self.accuracies, $0) } ?? true
    }

    /// Whether a value is within a range of whole numbers; not a number is in none.
    private static func contains(_ range: ClosedRange<Int>, _ value: Double) -> Bool {
        (Double(range.lowerBound)...Double(range.upperBound)).contains(value)
    }
}

extension Place {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            latitude: try container.decode(Double.self, forKey: .latitude),
            longitude: try container.decode(Double.self, forKey: .longitude),
            accuracy: try container.decodeIfPresent(Double.self, forKey: .accuracy)
        )
        guard isOnEarth else {
            throw DecodingError.dataCorruptedError(
                forKey: .latitude, in: container, debugDescription: "the place is not on Earth")
        }
    }
}

extension Place: WireObject {
    public static let blank = Place(latitude: 0, longitude: 0)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("latitude", &latitude, .number(Self.latitudes, "degrees, north positive"))
        fields.required("longitude", &longitude, .number(Self.longitudes, "degrees, east positive"))
        fields.optional("accuracy", &accuracy, .number(Self.accuracies, "metres"))
    }
}

extension Place {
    /// The mean radius of the Earth in metres.
    private static let earthRadius = 6_371_009.0

    /// The distance to another place along the great circle, in metres (haversine formula, mean Earth radius;
    /// error at most 0.5 %).
    public func distance(to other: Place) -> Double {
        let radians = Double.pi / 180
        let halfLatitude = sin((other.latitude - latitude) * radians / 2)
        let halfLongitude = sin((other.longitude - longitude) * radians / 2)
        let square =
            halfLatitude * halfLatitude
            + cos(latitude * radians) * cos(other.latitude * radians) * halfLongitude * halfLongitude
        return 2 * Self.earthRadius * asin(min(1, square.squareRoot()))
    }
}
