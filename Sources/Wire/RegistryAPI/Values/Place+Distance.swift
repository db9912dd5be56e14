private import Glibc

extension Place {
    /// The distance to another place along the great circle, in metres (haversine formula, mean Earth radius;
    /// error at most 0.5 %).
    public func distance(to other: Place) -> Double {
        let radians = Double.pi / 180
        let halfLatitude = sin((other.latitude - latitude) * radians / 2)
        let halfLongitude = sin((other.longitude - longitude) * radians / 2)
        let square =
            halfLatitude * halfLatitude
            + cos(latitude * radians) * cos(other.latitude * radians) * halfLongitude * halfLongitude
        return 2 * 6_371_009 * asin(min(1, square.squareRoot()))
    }
}
