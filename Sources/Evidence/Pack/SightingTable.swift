import Beacons
public import RegistryAPI

/// Sightings as a table for spreadsheets (RFC 4180).
public enum SightingTable {
    public static func file(_ sightings: [Sighting]) -> ArchiveFile {
        let rows = [header] + sightings.map(row)
        return ArchiveFile("sightings.csv", rows.map { $0.joined(separator: ",") + "\r\n" }.joined())
    }

    private static let header = [
        "sighting", "first_seen", "last_seen", "time_uncertain", "received", "station", "station_name", "latitude",
        "longitude", "accuracy_m", "count", "rssi_min_dbm", "rssi_max_dbm", "proximity",
    ]

    private static func row(_ sighting: Sighting) -> [String] {
        [
            "\(sighting.id)", "\(sighting.firstSeen)", "\(sighting.lastSeen)", "\(sighting.timeUncertain)",
            "\(sighting.received)", "\(sighting.station.id)", cell(sighting.station.name),
            "\(sighting.place.latitude)", "\(sighting.place.longitude)",
            sighting.place.accuracy.map { "\($0)" } ?? "", "\(sighting.count)",
            sighting.rssi.map { "\($0.min)" } ?? "", sighting.rssi.map { "\($0.max)" } ?? "",
            sighting.proximity.rawValue,
        ]
    }

    /// Someone else's text: quoted, and kept from being taken for a formula.
    private static func cell(_ text: String) -> String {
        let isFormula = text.first.map { "=+-@\t\r".contains($0) } ?? false
        return "\"" + (isFormula ? "'" : "") + text.replacing("\"", with: "\"\"") + "\""
    }
}
