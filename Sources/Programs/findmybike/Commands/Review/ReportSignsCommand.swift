import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient
import Terminal

struct ReportSignsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signs",
        abstract: "List the open searches with signs of misuse, with the operator’s token.",
        discussion: """
            These are facts and no verdict. ‘findmybike owner review’ shows more of an owner, and ‘findmybike beacon stop’ \
            stops a search.
              findmybike report signs
            """
    )

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let searches = try await RegistryConnection.all { try await registry.searchesToCheck(after: $0) }
        try options.output.list(searches, ["REPORT", "OPENED", "SIGNS", "BEACON", "OWNER"]) { search in
            [
                "\(search.report.id)", search.report.opened.local,
                search.signs.map(search.text).joined(separator: "; "),
                search.report.beacon?.text(rotating: search.report.rotating) ?? "", "\(search.owner)",
            ]
        }
    }
}

extension SearchToCheck {
    fileprivate func text(of sign: Sign) -> String {
        switch sign {
        case .newBeacon: "new beacon"
        case .reportedAgain: "\(counted(reports, "report")) of the owner in 30 days"
        case .nightsAtOnePlace: "\(counted(nights, "night")) at one station"
        }
    }
}
