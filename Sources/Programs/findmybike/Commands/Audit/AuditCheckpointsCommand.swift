import ArgumentParser
import CommandLines
import Evidence
import RegistryAPI
import RegistryClient

extension AuditCommand {
    struct CheckpointsCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "checkpoints",
            abstract: "Print the audit checkpoints that the registry signed every hour, the latest first.",
            discussion: """
                Copy them to another machine. ‘findmybike-registry audit verify --checkpoint FILE’ then shows whether \
                any earlier entry was changed or removed.
                  findmybike audit checkpoints --since 2026-11-20T00:00:00Z --token-file operator-token
                """
        )

        @Option(help: ArgumentHelp("Only checkpoints since this time.", valueName: "time"))
        var since: Timestamp?

        @OptionGroup var options: RegistryOptions

        func run() async throws {
            let registry = try options.connect()
            var cursor: String?
            repeat {
                let page = try await registry.auditCheckpoints(after: cursor)
                for checkpoint in page.items {
                    if let since, let time = Checkpoint(checkpoint.checkpoint)?.time, time < since { return }
                    try Output.json(checkpoint)
                }
                cursor = page.next
            } while cursor != nil
        }
    }
}
