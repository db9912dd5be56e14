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
    /// The time of the first batch.
    private var began: ScanInstant?
    /// When a reading was shown last.
    private var lastShown: ScanInstant?
    /// The last printed line, without its times.
    private var lastNews: String?
    /// When the bell rang last.
    private var lastRing: ScanInstant?
    private var screen = LiveScreen()

    /// - Parameters:
    ///   - name: of the bike or the beacon.
    ///   - isLive: whether to redraw a bar on a terminal.
    ///   - rings: whether to ring the terminal's bell.
    init(name: String, isLive: Bool, rings: Bool) {
        self.name = name
        self.isLive = isLive
        self.rings = rings
    }

    /// Shows the search at a time, unless it was shown just before.
    ///
    /// - Parameter trouble: the current problem of the radio, shown below the bar.
    mutating func show(_ search: BeaconSearch, at instant: ScanInstant, trouble: String?) {
        let start = began ?? instant
        began = start
        let reading = search.reading(at: instant)
        ring(reading, at: instant)
        let interval: Duration = isLive ? .milliseconds(200) : .seconds(1)
        if let lastShown, lastShown.duration(to: instant) < interval { return }
        lastShown = instant
        if isLive {
            screen.draw(
                SearchPicture(reading, name: name, width: Output.width ?? 80).lines
                    + [trouble].compactMap(\.self))
        } else {
            let news = SearchPicture.news(reading)
            guard news != lastNews else { return }
            lastNews = news
            Output.line(SearchPicture.line(reading, after: start.duration(to: instant)))
        }
    }

    /// Says at the end how often the beacon was heard.
    func finish(_ search: BeaconSearch) {
        switch search.frames {
        case 0: Output.line("Not heard.")
        case 1: Output.line("Heard once.")
        default: Output.line("Heard \(search.frames) times.")
        }
    }

    private mutating func ring(_ reading: BeaconSearch.Reading, at instant: ScanInstant) {
        guard rings, let interval = reading.bellInterval else { return }
        if let lastRing, lastRing.duration(to: instant) < interval { return }
        lastRing = instant
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
        let strength = String(format: "%.0f dBm  ", rssi)
        return "\(strength)\(reading.proximity.rawValue)\(distance(reading))  \(heard)"
    }

    /// The estimated distance; empty if there is no estimate.
    private static func distance(_ reading: BeaconSearch.Reading) -> String {
        guard let metres = reading.metres else { return "" }
        // Beyond this, the estimate is too rough for a number.
        return metres < 20 ? String(format: ", about %.0f m", max(1, metres)) : ", far off"
    }
}
