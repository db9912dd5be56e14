import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct ReportReferencesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "references",
        abstract: "List the police references that nobody has confirmed, with the operator’s token.",
        discussion: """
            Those of open reports, the oldest first. ‘findmybike report confirm’ confirms one.
              findmybike report references
            """
    )

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let references = try await RegistryConnection.all { try await registry.references(after: $0) }
        try options.output.list(references, ["REPORT", "OPENED", "REFERENCE", "POLICE", "OWNER"]) {
            [
                "\($0.report.id)", $0.report.opened.local, $0.report.policeReference ?? "",
                $0.report.policeForce ?? "", "\($0.owner)",
            ]
        }
    }
}
