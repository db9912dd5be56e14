import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient
import Terminal

struct ReportConfirmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm",
        abstract: "Confirm a report’s police reference, with the operator’s token.",
        discussion: """
            The bike is searched for until the report closes. The owner gets a message.
              findmybike report confirm 019aa4e1-1c2d-7a3b-8c4d-5e6f70819202 "CAD 4711/21NOV26"
              findmybike report confirm 019aa4e1-1c2d-7a3b-8c4d-5e6f70819202 --withdraw
            """
    )

    @Argument(help: ArgumentHelp("The report’s full identifier.", valueName: "report"))
    var report: String

    @Argument(help: "The reference that you have checked.")
    var reference: String?

    @Flag(help: "Withdraw the confirmation.")
    var withdraw = false

    @OptionGroup var options: CallOptions

    func validate() throws {
        guard withdraw == (reference == nil) else {
            throw ValidationError("Give the reference that you have checked, or --withdraw.")
        }
        guard ReportID(report) != nil else {
            throw ValidationError(
                "‘\(report)’ is not a report: give its full identifier, as ‘findmybike owner review OWNER’ shows it.")
        }
    }

    func run() async throws {
        guard let id = ReportID(report) else { return }
        let registry = try options.connect()
        let review =
            if let reference {
                try await registry.confirm(ReferenceConfirmation(policeReference: reference), of: id)
            } else {
                try await registry.withdrawConfirmation(of: id)
            }
        if options.json { return try Output.json(review) }
        let end = review.sightingsUntil.map { "is searched for until \($0.local)" } ?? "is searched for until it closes"
        Output.line("Report \(id) \(review.closed == nil ? end : "is closed").")
    }
}

struct ReportReferencesCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "references",
        abstract: "List the police references that nobody has confirmed, with the operator’s token.",
        discussion: """
            Those of open reports, the oldest first. ‘findmybike report confirm’ confirms one.
              findmybike report references
            """
    )

    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let references = try await RegistryConnection.all { try await registry.references(after: $0) }
        try options.output.list(references, ["REPORT", "OPENED", "REFERENCE", "POLICE", "OWNER"]) {
            [
                "\($0.report.id)", $0.report.opened.local, $0.report.policeReference ?? "",
                $0.report.policeForce ?? "", "\($0.owner)",
            ]
        }
    }
}

struct ReportSignsCommand: RegistryCommand {
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

    func run(at registry: RegistryConnection) async throws {
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
