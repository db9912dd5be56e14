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

    public init(latitude: Double, longitude: Double, accuracy: Double? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
    }
}
