import Beacons
import Foundation
import Presence
import Terminal

/// The scan's table: drawn over itself on a terminal, once at the end elsewhere.
struct SurveyTable {
    let isLive: Bool
    private let filter: SurveyFilter
    private var drawn: ScanInstant?
    private var screen = LiveScreen()
    private var now = ScanInstant(nanoseconds: 0)

    private static let interval = Duration.milliseconds(500)
    private static let rows = 20

    init(_ filter: SurveyFilter, isLive: Bool) {
        self.filter = filter
        self.isLive = isLive
    }

    /// - Parameter trouble: what is wrong now, shown below the table.
    mutating func redraw(_ survey: BeaconSurvey, at instant: ScanInstant, trouble: String?) {
        now = instant
        if let drawn, drawn.duration(to: instant) < Self.interval { return }
        drawn = instant
        draw(survey, trouble)
    }

    mutating func finish(_ survey: BeaconSurvey) {
        if !isLive, let last = survey.entries.values.map(\.last).max() { now = last }
        draw(survey, nil)
    }

    private mutating func draw(_ survey: BeaconSurvey, _ trouble: String?) {
        let sorted = survey.strongest(filter, at: isLive ? now : nil)
        let shown = isLive ? Array(sorted.prefix(Self.rows)) : sorted
        let header = ["KIND", "BEACON", "NEAR", "RSSI", "RATE", "AGE", "FRAMES"]
        let rest = sorted.count - shown.count
        let more = rest > 0 ? ", \(rest) more beacons" : ""
        let lines =
            Table(header, shown.map { row($0.frame, $0.entry) }).lines(
                width: isLive ? nil : Output.width, style: isLive ? .plain : Output.style)
            + ["\(survey.reports) reports, \(survey.malformed) malformed\(more)"] + [trouble].compactMap(\.self)
        if isLive { screen.draw(lines) } else { lines.forEach { Output.line($0) } }
    }

    private func row(_ frame: BeaconFrame, _ entry: SurveyEntry) -> [String] {
        [
            frame.kind.rawValue,
            frame.identityText,
            entry.proximity(at: now).rawValue,
            entry.smoothedRSSI.map { String(format: "%.0f dBm", $0) } ?? "unknown",
            String(format: "%.1f/s", entry.framesPerSecond(at: now)),
            String(format: "%.0f s", entry.last.duration(to: now).seconds),
            "\(entry.frames)",
        ]
    }
}

extension BeaconFrame {
    /// What tells the beacon from others, as people copy it.
    var identityText: String {
        switch self {
        case .iBeacon(let beacon): "\(beacon.identity)"
        case .altBeacon(let beacon): "\(beacon.identity)"
        case .eddystoneUID(let beacon): "\(beacon.namespaceText)/\(beacon.instanceText)"
        }
    }
}

extension EddystoneUID {
    /// 20 hexadecimal digits.
    var namespaceText: String {
        String(format: "%04X", Int(namespace.high)) + Self.hexadecimal(namespace.low, digits: 16)
    }

    /// 12 hexadecimal digits.
    var instanceText: String { Self.hexadecimal(instance, digits: 12) }

    private static func hexadecimal(_ value: UInt64, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
