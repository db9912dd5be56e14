import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient
import Terminal

struct OperatorSearchesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "searches",
        abstract: "Count how many searches were heard, how soon, and how long they lasted.",
        discussion: """
            Only counts, without false alarms, and of each bike only the last search. They change once a day. To weight \
            a plan’s models of thieves by them:
              findmybike operator searches --json > searches.json
              findmybike plan --streets city.osm.pbf --stations stations.json --experience searches.json
            """)

    @OptionGroup var options: CallOptions

    func run() async throws {
        let closed = try await options.connect().closedSearches()
        if options.json { return try Output.json(closed) }
        Output.line("\(counted(closed.searches, "search", "searches")) ended before \(closed.until.local):")
        let spans = ClosedSearches.Span.allCases
        Output.table(
            ["LASTED"] + spans.map { "HEARD WITHIN \($0.rawValue.uppercased())" } + ["NOT HEARD"],
            spans.map { lasted in
                [lasted.words]
                    + (spans.map(Optional.some) + [nil]).map { heard in
                        closed.counts.first { $0.heardWithin == heard && $0.lasted == lasted }.map { "\($0.searches)" }
                            ?? "–"
                    }
            })
    }
}

extension ClosedSearches.Span {
    fileprivate var words: String {
        switch self {
        case .hour: "up to an hour"
        case .day: "up to a day"
        case .week: "up to a week"
        case .month: "up to 30 days"
        case .longer: "longer"
        }
    }
}
