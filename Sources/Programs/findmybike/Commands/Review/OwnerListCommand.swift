import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct OwnerListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the owners, with the operator’s token: those with the most unconfirmed reports first.",
        discussion: "  findmybike owner list --token-file operator-token"
    )

    @Option(help: ArgumentHelp("The maximum number, 1–10000.", valueName: "count"))
    var most = 100

    @OptionGroup var options: CallOptions

    func validate() throws {
        guard (1...10_000).contains(most) else { throw ValidationError("--most must be 1 to 10000.") }
    }

    func run() async throws {
        let registry = try options.connect()
        var owners: [OwnerSummary] = []
        var cursor: String?
        repeat {
            let page = try await registry.owners(after: cursor)
            owners += page.items
            cursor = page.next
        } while cursor != nil && owners.count < most
        try options.output.list(owners.prefix(most), ["ID", "REPORTS", "UNCONFIRMED", "ACTIVE", "STATE"]) { owner in
            [
                "\(owner.id)", "\(owner.reports)", "\(owner.unconfirmed)", owner.lastActive?.local ?? "never",
                owner.suspended.map { "suspended since \($0.local)" } ?? "",
            ]
        }
    }
}
