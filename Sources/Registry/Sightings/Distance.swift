import Foundation
public import RegistryAPI

extension Place {
    /// Metres along the great circle to another place (haversine formula, mean Earth radius; wrong by 0.5 % at most).
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
