import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct EvidenceKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List the keys that the registry signs or signed with.",
        discussion: """
            Compare a fingerprint with one that you have by another way (the operator’s telephone, a printed page) before
            you trust it: whoever answers in the registry’s place would show a key of their own.
              findmybike evidence keys
            """
    )

    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let registry = try options.connectWithoutToken()
        let keys = try await registry.keys().keys
        if output.json { return try keys.forEach { try Output.json($0) } }
        guard !keys.isEmpty else { return Output.line("The registry has no key: it signs no evidence.") }
        Output.table(
            ["KEY", "FINGERPRINT", "SINCE", "UNTIL"],
            keys.map { ["\($0.version)", $0.fingerprint, $0.created.local, $0.retired?.local ?? "in use"] }
        )
    }
}
