import RegistryAPI
import Syntax

extension Trail {
    /// GPX 1.1: a waypoint for each sighting, and a track through the undisputed ones.
    public func gpx() -> [UInt8] {
        var xml = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="FindMyBike">
            <metadata><name>Missing report \(report)</name><desc>\(Self.caution)</desc></metadata>

            """
        for sighting in sightings { xml += Self.waypoint(sighting) }
        let points = undisputed
        if !points.isEmpty {
            xml += "<trk><name>Undisputed sightings</name><trkseg>\n"
            for sighting in points { xml += Self.point("trkpt", sighting, "") }
            xml += "</trkseg></trk>\n"
        }
        xml += "</gpx>\n"
        return Array(xml.utf8)
    }

    private static func waypoint(_ sighting: Sighting) -> String {
        let name = "<name>\(XMLText.escape(sighting.station.name))</name>"
        let until = "heard until \(sighting.lastSeen), \(sighting.count) times"
        let reasons = sighting.reasons.isEmpty ? "" : " (\(sighting.reasons.map(\.rawValue).joined(separator: ", ")))"
        let dismissed = sighting.dismissed == nil ? "" : ", dismissed by the owner"
        let uncertain = sighting.timeUncertain ? ", time uncertain" : ""
        let receiver = sighting.receiver.map { ", receiver \($0.name)" } ?? ""
        let description = "\(until)\(receiver); \(sighting.level.rawValue)\(reasons)\(dismissed)\(uncertain)"
        return point("wpt", sighting, "\(name)<desc>\(XMLText.escape(description))</desc>")
    }

    /// An element with a sighting's place and first time.
    ///
    /// - Parameter more: the markup after the time.
    private static func point(_ element: String, _ sighting: Sighting, _ more: String) -> String {
        let place = sighting.place
        // A longitude in GPX is less than 180 (longitudeType), so that meridian is written as −180.
        let longitude = place.longitude == 180 ? -180 : place.longitude
        return """
            <\(element) lat="\(decimal(place.latitude))" lon="\(decimal(longitude))">\
            <time>\(sighting.firstSeen)</time>\(more)</\(element)>

            """
    }

    /// Formats a decimal without an exponent, which XML Schema's decimal does not allow: Swift writes one only below a
    /// ten-thousandth of a degree.
    private static func decimal(_ value: Double) -> String {
        let text = "\(value)"
        guard text.contains("e") else { return text }
        let nanodegrees = Int64((abs(value) * 1e9).rounded())
        let digits = String(nanodegrees)
        return (value < 0 ? "-" : "") + "0." + String(repeating: "0", count: max(0, 9 - digits.count)) + digits
    }
}

/// Text for XML 1.0.
enum XMLText {
    /// Escapes markup and drops characters that XML 1.0 does not allow.
    static func escape(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t", "\n", "\r": result.append(" ")
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
            default: result.append(scalar)
            }
        }
        return String(result).escapedForMarkup
    }
}
