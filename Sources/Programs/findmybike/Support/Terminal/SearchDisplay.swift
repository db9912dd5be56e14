import Beacons
import CommandSupport
import Foundation
import Presence
import Terminal

/// The display and sound of a search: a large bar that is redrawn on a terminal; elsewhere a line when something
/// changes, at most one a second.
struct SearchDisplay {
    private let name: String
    private let isLive: Bool
    private let rings: Bool
    private var began: ScanInstant?
    private var shown: ScanInstant?
    /// The last printed line, without its times.
    private var told: String?
    private var rang: ScanInstant?
    private var screen = LiveScreen()

    /// - Parameter rings: whether to ring the terminal's bell.
    init(name: String, isLive: Bool, rings: Bool) {
        self.name = name
        self.isLive = isLive
        self.rings = rings
    }

    mutating func show(_ search: BeaconSearch, at instant: ScanInstant, trouble: String?) {
        let start = began ?? instant
        began = start
        let reading = search.reading(at: instant)
        ring(reading, at: instant)
        let interval: Duration = isLive ? .milliseconds(200) : .seconds(1)
        if let shown, shown.duration(to: instant) < interval { return }
        shown = instant
        if isLive {
            screen.draw(
                SearchPicture(reading, name: name, width: Output.width ?? 80).lines
                    + [trouble].compactMap(\.self))
        } else {
            let news = SearchPicture.news(reading)
            guard news != told else { return }
            told = news
            Output.line(SearchPicture.line(reading, after: start.duration(to: instant)))
        }
    }

    func finish(_ search: BeaconSearch) {
        switch search.frames {
        case 0: Output.line("Not heard.")
        case 1: Output.line("Heard once.")
        default: Output.line("Heard \(search.frames) times.")
        }
    }

    private mutating func ring(_ reading: BeaconSearch.Reading, at instant: ScanInstant) {
        guard rings, let interval = reading.bellInterval else { return }
        if let rang, rang.duration(to: instant) < interval { return }
        rang = instant
        Console.output.data(Data("\u{07}".utf8))
    }
}

/// One reading as text.
struct SearchPicture {
    /// The lines for a terminal.
    let lines: [String]

    private static let barHeight = 3

    /// - Parameter width: the number of the terminal's columns.
    init(_ reading: BeaconSearch.Reading, name: String, width: Int) {
        let length = max(10, min(width - 2, 100))
        let filled = Int((reading.nearness * Double(length)).rounded())
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: length - filled)
        lines =
            [name.cut(toColumns: length), ""]
            + Array(repeating: bar, count: Self.barHeight)
            + ["", Self.direction(reading), Self.details(reading)]
    }

    /// A line for a file or a pipe.
    static func line(_ reading: BeaconSearch.Reading, after elapsed: Duration) -> String {
        let time = String(format: "%6.0f s", elapsed.seconds)
        guard reading.rssi != nil else { return "\(time)  \(details(reading))" }
        return "\(time)  \(direction(reading).lowercased())  \(details(reading))"
    }

    /// The part of a reading that causes a new line when it changes: all except the times.
    static func news(_ reading: BeaconSearch.Reading) -> String {
        guard reading.age != nil else { return "" }
        guard let rssi = reading.rssi else { return "silent" }
        return "\(direction(reading)) \(Int(rssi.rounded())) \(reading.proximity.rawValue)"
    }

    private static func direction(_ reading: BeaconSearch.Reading) -> String {
        guard reading.rssi != nil else { return "…" }
        return switch reading.trend {
        case .warmer: "WARMER"
        case .colder: "COLDER"
        case .steady: "STEADY"
        }
    }

    private static func details(_ reading: BeaconSearch.Reading) -> String {
        guard let age = reading.age else { return "not heard yet" }
        let heard = String(format: "heard %.1f s ago", age.seconds)
        guard let rssi = reading.rssi else { return "silent, \(heard)" }
        let distance = reading.metres.map { $0 < 20 ? String(format: ", about %.0f m", max(1, $0)) : ", far off" } ?? ""
        return String(format: "%.0f dBm  ", rssi) + "\(reading.proximity.rawValue)\(distance)  \(heard)"
    }
}
