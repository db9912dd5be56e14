/// Where a receiver says that it is (WGS 84).
public struct GPSFix: Hashable, Sendable {
    /// Degrees, −90…90, north positive.
    public let latitude: Double
    /// Degrees, −180…180, east positive.
    public let longitude: Double
    /// The receiver's estimate of its horizontal error in metres, 0…10,000; nil where it gives none.
    public let accuracy: Double?

    public init(latitude: Double, longitude: Double, accuracy: Double?) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
    }
}
