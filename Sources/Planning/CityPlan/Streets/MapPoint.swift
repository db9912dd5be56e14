import Glibc

/// A place on the Earth in degrees.
public struct Coordinates: Hashable, Codable, Sendable {
    public let latitude: Double
    public let longitude: Double

    /// The coordinates; nil outside ±85° of latitude (no city is nearer to a pole) or ±180° of longitude.
    public init?(latitude: Double, longitude: Double) {
        guard abs(latitude) <= 85, abs(longitude) <= 180 else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The coordinates, brought within the range if they are outside.
    init(within latitude: Double, _ longitude: Double) {
        self.latitude = max(-85, min(85, latitude))
        self.longitude = max(-180, min(180, longitude))
    }
}

/// A place in metres east (x) and north (y) of a city’s centre.
public struct MapPoint: Hashable, Sendable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// In metres.
    @inline(__always)
    func distance(to other: MapPoint) -> Double {
        let (x, y) = (x - other.x, y - other.y)
        return (x * x + y * y).squareRoot()
    }

    /// The shortest distance to a straight line between two points, in metres.
    func distance(toLineFrom start: MapPoint, to end: MapPoint) -> Double {
        distance(to: nearest(onLineFrom: start, to: end))
    }

    private func nearest(onLineFrom start: MapPoint, to end: MapPoint) -> MapPoint {
        let (x, y) = (end.x - start.x, end.y - start.y)
        let square = x * x + y * y
        guard square > 0 else { return start }
        let share = max(0, min(1, ((self.x - start.x) * x + (self.y - start.y) * y) / square))
        return MapPoint(x: start.x + share * x, y: start.y + share * y)
    }
}

/// The plane around a city’s centre: equirectangular, which is exact to 0.2 % within 50 km at European latitudes.
public struct Projection: Hashable, Sendable {
    public let centre: Coordinates
    /// The metres of a degree of longitude at the centre.
    private let metresEast: Double
    /// The metres of a degree of latitude, by the Earth’s mean radius.
    private static let metresNorth = 6_371_008.8 * .pi / 180

    public init(centre: Coordinates) {
        self.centre = centre
        metresEast = Self.metresNorth * cos(centre.latitude * .pi / 180)
    }

    public func point(_ place: Coordinates) -> MapPoint {
        MapPoint(
            x: (place.longitude - centre.longitude) * metresEast,
            y: (place.latitude - centre.latitude) * Self.metresNorth)
    }

    public func coordinates(_ point: MapPoint) -> Coordinates {
        Coordinates(
            within: centre.latitude + point.y / Self.metresNorth, centre.longitude + point.x / metresEast)
    }
}
