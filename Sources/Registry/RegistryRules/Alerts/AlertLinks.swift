public import RegistryAPI
import Syntax

/// The targets of links in alerts, from the operator's settings.
public struct AlertLinks: Hashable, Sendable {
    /// The registry's public URL, without a trailing slash; nil if there is none.
    public var publicURL: String?
    /// The URL of a map, with `{latitude}` and `{longitude}`; nil for no link to a map.
    public var map: String?

    public init(publicURL: String? = nil, map: String? = nil) {
        self.publicURL = publicURL
        self.map = map
    }

    /// The URL of the map at a place.
    public func map(at place: Place) -> String? {
        map?.replacing(text: "{latitude}", with: Self.degrees(place.latitude))
            .replacing(text: "{longitude}", with: Self.degrees(place.longitude))
    }

    /// The place as a `geo:` URI for a person's map program (RFC 5870):
    /// degrees, and the uncertainty in metres if known.
    public static func geo(_ place: Place) -> String {
        let uncertainty = place.accuracy.map { ";u=\(Int($0.rounded(.up)))" } ?? ""
        return "geo:\(degrees(place.latitude)),\(degrees(place.longitude))\(uncertainty)"
    }

    /// Formats decimal degrees with six places, about a tenth of a metre, without an exponent.
    static func degrees(_ value: Double) -> String {
        let millionths = Int64((value * 1_000_000).rounded())
        let (whole, fraction) = abs(millionths).quotientAndRemainder(dividingBy: 1_000_000)
        // The digit before the fraction's keeps the zeros after the point.
        var digits = String(fraction + 1_000_000).dropFirst()
        while digits.count > 1, digits.last == "0" { digits.removeLast() }
        return "\(millionths < 0 ? "-" : "")\(whole).\(digits)"
    }
}
