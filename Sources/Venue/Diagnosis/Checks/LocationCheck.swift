/// Whether the monitor knows its place.
enum LocationCheck {
    /// - Parameter settings: the settings; nil if no monitor is examined.
    static func judge(_ settings: LocationSettings?) -> Check {
        let subject = CheckSubject.location
        guard let settings else {
            return subject.notApplicable("no monitor’s settings were given with --config")
        }
        switch (settings.latitude, settings.longitude) {
        case (let latitude?, let longitude?):
            guard latitude != 0 || longitude != 0 else {
                return subject.warning("the station is at 0, 0, in the sea off Africa", remedy: remedy)
            }
            return subject.ok("\(latitude), \(longitude)")
        case (nil, nil):
            return subject.warning(
                "no location is set: the registry uses the enrolled place", remedy: remedy)
        default:
            return subject.failure("only one of latitude and longitude is set", remedy: remedy)
        }
    }

    private static let remedy = "set station.latitude and station.longitude in the monitor’s settings"
}

/// The station's place in its settings, in degrees.
public struct LocationSettings: Hashable, Sendable {
    public let latitude: Double?
    public let longitude: Double?

    public init(latitude: Double?, longitude: Double?) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
