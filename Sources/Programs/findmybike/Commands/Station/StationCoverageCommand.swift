import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient
import Terminal

struct StationCoverageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coverage", abstract: "Show when a station was listening, and how much it heard.",
        discussion: """
            A row for each hour, by default of the last day. The registry keeps 90 days. DEVICES is the number in the \
            hour’s busiest quarter; ‘unknown’ means that the station sent nothing about the hour.
              findmybike station coverage sprocket --since "3 days ago"
            """)

    @Argument(
        help: ArgumentHelp(
            "Part of the station’s name, or the beginning of its identifier. Without it, the station whose token is used.",
            valueName: "station"))
    var station: String?

    @Option(help: ArgumentHelp("Show the hours since this time.", valueName: "time"))
    var since: Timestamp?

    @OptionGroup var options: CallOptions

    private static let hour = Duration.seconds(3600)

    func run() async throws {
        let now = Timestamp.now
        let oldest = now.advanced(by: Self.hour * -24 * 90)
        let since = max(since ?? now.advanced(by: Self.hour * -23), oldest)
        try since.requirePast("--since")
        let registry = try options.connect()
        let id: StationID? = if let station { try await StationArgument.find(station, at: registry) } else { nil }
        var quarters: [CoverageQuarter] = []
        var day = CalendarDate(since)
        while day <= CalendarDate(now) {
            let coverage = try await registry.coverage(of: id, on: day)
            if options.json { try Output.json(coverage) }
            quarters += coverage.quarters
            day = day.advanced(byDays: 1)
        }
        guard !options.json else { return }
        let hours = CoverageHour.hours(quarters, from: since, to: now)
        guard !quarters.isEmpty else {
            return Output.line("Nothing is known: the station sent no coverage, or its monitor is too old to do so.")
        }
        Output.table(
            ["HOUR", "LISTENED", "ADVERTS", "DEVICES", "RESTARTS", "OLDEST LIST"], cells: hours.map(\.row))
    }
}

/// What a station heard in one hour.
struct CoverageHour {
    let begins: Timestamp
    /// What the station sent about the hour; empty if nothing.
    private(set) var quarters: [CoverageQuarter] = []

    /// An hour in milliseconds.
    private static let length: Int64 = 3_600_000

    /// The hours from that of one time to that of another, with what was heard in them.
    static func hours(_ quarters: [CoverageQuarter], from start: Timestamp, to end: Timestamp) -> [CoverageHour] {
        var hours: [CoverageHour] = []
        var begin = start.milliseconds - start.milliseconds % length
        while begin <= end.milliseconds {
            hours.append(CoverageHour(begins: Timestamp(milliseconds: begin)))
            begin += length
        }
        guard let first = hours.first?.begins.milliseconds else { return [] }
        for quarter in quarters where quarter.begins.milliseconds >= first {
            let index = Int((quarter.begins.milliseconds - first) / length)
            if hours.indices.contains(index) { hours[index].quarters.append(quarter) }
        }
        return hours
    }

    /// Phones change their address, so devices of several quarters cannot be added: the row shows the busiest quarter.
    var row: [Table.Cell] {
        let (begin, none) = (Table.Cell(begins.local), Table.Cell(""))
        guard !quarters.isEmpty else { return [begin, Table.Cell("unknown", .warning), none, none, none, none] }
        let listened = quarters.reduce(0) { $0 + $1.listened }
        guard listened > 0 else {
            return [begin, Table.Cell("not at all", .alarm), none, none, Table.Cell(restarts), none]
        }
        let ages = quarters.map(\.listAge)
        let oldest = ages.compactMap(\.self).max().map { "\($0) s" } ?? ""
        return [
            begin, Table.Cell("\((listened + 30) / 60) min"), Table.Cell("\(quarters.reduce(0) { $0 + $1.adverts })"),
            Table.Cell("\(quarters.map(\.devices).max() ?? 0)"), Table.Cell(restarts),
            ages.contains(nil) ? Table.Cell("unknown", .warning) : Table.Cell(oldest),
        ]
    }

    private var restarts: String {
        let count = quarters.reduce(0) { $0 + $1.restarts }
        return count > 0 ? "\(count)" : ""
    }
}
