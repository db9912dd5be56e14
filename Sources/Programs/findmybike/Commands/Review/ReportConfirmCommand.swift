import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

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
