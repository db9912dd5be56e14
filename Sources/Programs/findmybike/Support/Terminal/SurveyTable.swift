import Beacons
import CommandSupport
import Foundation
import Presence
import Terminal

/// The scan's table: redrawn in place on a terminal, elsewhere printed once at the end. The user's own bikes come
/// first.
struct SurveyTable {
    let isLive: Bool
    /// Whether beacons that were heard once are listed even if there are many.
    let listsAll: Bool
    /// The names of the user's own bikes.
    let own: [BeaconIdentity: String]
    private let filter: SurveyFilter
    /// When the table was drawn last.
    private var drawn: ScanInstant?
    private var screen = LiveScreen()
    /// The time for which ages and rates are shown.
    private var now = ScanInstant(nanoseconds: 0)

    /// The time between two drawings.
    private static let interval = Duration.milliseconds(500)
    /// The maximum number of rows of a table that is redrawn; and of one with beacons that were heard once.
    private static let rows = 20

    init(_ filter: SurveyFilter, isLive: Bool, listsAll: Bool = false, own: [BeaconIdentity: String] = [:]) {
        self.filter = filter
        self.isLive = isLive
        self.listsAll = listsAll
        self.own = own
    }

    /// Draws the table in place, unless it was drawn just before.
    ///
    /// - Parameter trouble: the current problem, shown below the table.
    mutating func redraw(_ survey: BeaconSurvey, at instant: ScanInstant, trouble: String?) {
        now = instant
        if let drawn, drawn.duration(to: instant) < Self.interval { return }
        drawn = instant
        screen.draw(lines(survey, width: Output.width, limit: Self.rows) + [trouble].compactMap(\.self))
    }

    /// Draws the table a last time, or prints it.
    mutating func finish(_ survey: BeaconSurvey) {
        if !isLive, let last = survey.entries.values.map(\.last).max() { now = last }
        let lines = lines(survey, width: Output.width, limit: isLive ? Self.rows : nil)
        if isLive { screen.draw(lines) } else { Output.painted(lines) }
    }

    /// The table, and a line of totals.
    ///
    /// - Parameters:
    ///   - width: the available columns; nil for lines of any length.
    ///   - limit: the maximum number of rows; nil for any number.
    func lines(_ survey: BeaconSurvey, width: Int?, limit: Int?) -> [String] {
        let beacons = sorted(survey)
        let shown = beacons.prefix(limit ?? .max).filter { keeps($0, among: beacons.count) }
        let rest = beacons.count - shown.count
        let hint = limit == nil ? ", heard once: --all lists them" : ""
        let more = rest > 0 ? "; \(counted(rest, "more beacon"))\(hint)" : ""
        let totals = "\(counted(survey.reports, "report")), \(survey.malformed) malformed\(more)"
        return table(Array(shown), width: width).lines(
            width: isLive ? nil : width, style: isLive ? .plain : Output.style)
            + [totals]
    }

    private typealias Heard = (frame: BeaconFrame, entry: SurveyEntry)

    /// The user's own beacons first, those heard once last; otherwise the strongest first.
    private func sorted(_ survey: BeaconSurvey) -> [Heard] {
        let all = survey.strongest(filter, at: isLive ? now : nil)
        let mine = all.filter { name(of: $0.frame) != nil }
        let others = all.filter { name(of: $0.frame) == nil }
        return mine + others.filter { $0.entry.frames > 1 } + others.filter { $0.entry.frames <= 1 }
    }

    /// Whether a beacon is listed. A single frame may be a reflection, or a sensor that puts its data into the identity:
    /// in a town there are hundreds.
    private func keeps(_ heard: Heard, among count: Int) -> Bool {
        isLive || listsAll || count <= Self.rows || heard.entry.frames > 1 || name(of: heard.frame) != nil
    }

    /// The name of the user's bike with this beacon; nil for other beacons.
    private func name(of frame: BeaconFrame) -> String? { frame.identity.flatMap { own[$0] } }
}

// MARK: - Columns

extension SurveyTable {
    private enum Column: String {
        case bike = "YOURS"
        case kind = "KIND"
        case beacon = "BEACON"
        case near = "NEAR"
        case rssi = "RSSI"
        case rate = "RATE"
        case age = "AGE"
        case frames = "FRAMES"
    }

    /// The columns that a narrow terminal can omit, the least important first.
    private static let dispensable: [Column] = [.frames, .rate, .kind, .age]

    /// The widest table that fits: columns are dropped first, then the part of the identities that most beacons share.
    private func table(_ heard: [Heard], width: Int?) -> Table {
        var columns: [Column] = [.kind, .beacon, .near, .rssi, .rate, .age, .frames]
        if heard.contains(where: { name(of: $0.frame) != nil }) { columns.insert(.bike, at: 0) }
        var table = table(heard, columns, isShort: false)
        guard isLive, let width else { return table }
        for column in Self.dispensable where !fits(table, width) {
            columns.removeAll { $0 == column }
            table = self.table(heard, columns, isShort: false)
        }
        return fits(table, width) ? table : self.table(heard, columns, isShort: true)
    }

    private func fits(_ table: Table, _ width: Int) -> Bool { table.lines().allSatisfy { $0.columns <= width } }

    private func table(_ heard: [Heard], _ columns: [Column], isShort: Bool) -> Table {
        Table(columns.map(\.rawValue), heard.map { beacon in columns.map { cell($0, beacon, isShort) } })
    }

    private func cell(_ column: Column, _ heard: Heard, _ isShort: Bool) -> String {
        let entry = heard.entry
        return switch column {
        case .bike: name(of: heard.frame) ?? ""
        case .kind: heard.frame.kind.rawValue
        case .beacon: isShort ? heard.frame.shortText : heard.frame.identityText
        case .near: entry.proximity(at: now).rawValue
        case .rssi: entry.smoothedRSSI.map { String(format: "%.0f dBm", $0) } ?? "unknown"
        case .rate: String(format: "%.1f/s", entry.framesPerSecond(at: now))
        case .age: String(format: "%.0f s", entry.last.duration(to: now).seconds)
        case .frames: "\(entry.frames)"
        }
    }
}

extension BeaconFrame {
    /// The beacon's identity, in the form that people copy.
    var identityText: String {
        switch self {
        case .iBeacon(let beacon): "\(beacon.identity)"
        case .altBeacon(let beacon): "\(beacon.identity)"
        case .eddystoneUID(let beacon): "\(beacon.namespaceText)/\(beacon.instanceText)"
        }
    }

    /// A short form of the identity: the part that differs between beacons of one manufacturer stays complete.
    fileprivate var shortText: String {
        if let identity { return "\("\(identity.uuid)".prefix(4))…:\(identity.major):\(identity.minor)" }
        guard case .eddystoneUID(let beacon) = self else { return identityText }
        return "\(beacon.namespaceText.prefix(4))…/\(beacon.instanceText)"
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
