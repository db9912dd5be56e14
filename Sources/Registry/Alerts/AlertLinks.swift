public import RegistryAPI

/// Where alerts lead to, by the operator's settings.
public struct AlertLinks: Hashable, Sendable {
    /// How people reach the registry, without a slash at the end; nil where it has no address for people.
    public var publicURL: String?
    /// A map's address with `{latitude}` and `{longitude}`; nil for no link to a map.
    public var map: String?

    public init(publicURL: String? = nil, map: String? = nil) {
        self.publicURL = publicURL
        self.map = map
    }

    /// The map at a place.
    public func map(at place: Place) -> String? {
        map?.replacing("{latitude}", with: Self.degrees(place.latitude))
            .replacing("{longitude}", with: Self.degrees(place.longitude))
    }

    /// The place for a person's own map program (RFC 5870): degrees, and metres of uncertainty where known.
    public static func geo(_ place: Place) -> String {
        let uncertainty = place.accuracy.map { ";u=\(Int($0.rounded(.up)))" } ?? ""
        return "geo:\(degrees(place.latitude)),\(degrees(place.longitude))\(uncertainty)"
    }

    /// Decimal degrees to six places, about a tenth of a metre, without an exponent.
    static func degrees(_ value: Double) -> String {
        let millionths = Int64((value * 1_000_000).rounded())
        let (whole, fraction) = abs(millionths).quotientAndRemainder(dividingBy: 1_000_000)
        var digits = String(fraction + 1_000_000).dropFirst()
        while digits.count > 1, digits.last == "0" { digits.removeLast() }
        return "\(millionths < 0 ? "-" : "")\(whole).\(digits)"
    }
}
