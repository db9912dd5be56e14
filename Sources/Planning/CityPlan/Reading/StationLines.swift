public import Simulation
import Syntax

/// The stations of a registry, as `findmybike station list --json` prints them: one JSON object a line.
public enum StationLines {
    /// The fixed stations that are not revoked, without open invitations.
    ///
    /// - Parameter source: the name of the file in errors.
    /// - Throws: ``ScenarioError`` with the line of what is wrong.
    public static func read(_ bytes: [UInt8], source: String) throws(ScenarioError) -> [Site] {
        var scanner = GeoJSONScanner(bytes, source: source)
        var sites: [Site] = []
        while scanner.next != 0 {
            var name = ""
            var latitude: Double?
            var longitude: Double?
            var isUsable = true
            try scanner.object { (scanner, key) throws(ScenarioError) in
                switch key {
                case "name": name = try scanner.string()
                case "revoked", "invitation":
                    // The same command also prints the invitations that no machine has accepted.
                    isUsable = false
                    try scanner.skip(depth: 1)
                case "mobile": if try scanner.text()?.begins(with: "true") == true { isUsable = false }
                case "place":
                    try scanner.object { (scanner, key) throws(ScenarioError) in
                        switch key {
                        case "latitude": latitude = try scanner.number()
                        case "longitude": longitude = try scanner.number()
                        default: try scanner.skip(depth: 2)
                        }
                    }
                case "features", "geometry": throw scanner.error("the name of a file with GeoJSON must end in .geojson")
                default: try scanner.skip(depth: 1)
                }
            }
            guard isUsable else { continue }
            guard let latitude, let longitude, let place = Coordinates(latitude: latitude, longitude: longitude) else {
                throw scanner.error("a station needs ‘place’ with ‘latitude’ and ‘longitude’")
            }
            sites.append(Site(name: name.line(atMost: 80), place: place))
        }
        return sites
    }
}
