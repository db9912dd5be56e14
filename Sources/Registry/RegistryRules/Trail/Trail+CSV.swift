import Beacons
import RegistryAPI
import Syntax

extension Trail {
    /// A table with a header (RFC 4180) and a line for each sighting. Text that a spreadsheet would interpret as a
    /// formula gets a leading apostrophe.
    public func csv() -> [UInt8] {
        var text = Self.header.joined(separator: ",") + "\r\n"
        for sighting in sightings { text += Self.cells(of: sighting).joined(separator: ",") + "\r\n" }
        return Array(text.utf8)
    }

    private static let header = [
        "id", "station", "station_name", "latitude", "longitude", "accuracy_m", "first_seen", "last_seen", "received",
        "count", "rssi_min_dbm", "rssi_max_dbm", "proximity", "ended", "time_uncertain", "late", "level", "reasons",
        "dismissed", "receiver", "receiver_latitude", "receiver_longitude", "receiver_accuracy_m",
    ]

    /// In the order of ``header``.
    private static func cells(of sighting: Sighting) -> [String] {
        let place = sighting.place
        let receiver = sighting.receiver
        return [
            "\(sighting.id)", "\(sighting.station.id)", CSVText.cell(sighting.station.name), "\(place.latitude)",
            "\(place.longitude)", text(place.accuracy), "\(sighting.firstSeen)", "\(sighting.lastSeen)",
            "\(sighting.received)", "\(sighting.count)", text(sighting.rssi?.min), text(sighting.rssi?.max),
            sighting.proximity.rawValue, "\(sighting.ended)", "\(sighting.timeUncertain)", "\(sighting.late)",
            sighting.level.rawValue, CSVText.cell(sighting.reasonNames), text(sighting.dismissed),
            CSVText.cell(receiver?.name ?? ""), text(receiver?.place?.latitude), text(receiver?.place?.longitude),
            text(receiver?.place?.accuracy),
        ]
    }

    /// A number or a time; empty if it is not known.
    private static func text(_ value: (some CustomStringConvertible)?) -> String { value.map { "\($0)" } ?? "" }
}

/// Text for CSV files.
enum CSVText {
    /// A cell that holds exactly this text and that no spreadsheet evaluates.
    static func cell(_ text: String) -> String {
        // Spreadsheets skip these before a formula.
        let leading = text.unicodeScalars.prefix {
            $0.properties.isWhitespace || $0.properties.generalCategory == .format
        }
        let start = text.unicodeScalars[leading.endIndex...].first
        let isFormula = start.map { formulaStarts.contains($0) } ?? false
        let needsApostrophe = isFormula || leading.contains(where: \.properties.isWhitespace)
        let safe = needsApostrophe ? "'" + text : text
        guard safe.unicodeScalars.contains(where: { "\",\r\n;\t".unicodeScalars.contains($0) }) else { return safe }
        return "\"" + safe.replacing(scalars: ["\"": "\"\""]) + "\""
    }

    /// The first characters of formulas, with their full-width forms, which some spreadsheets treat in the same way.
    private static let formulaStarts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]
}
