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

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.registry.connectWithoutToken()
        let keys = try await registry.keys().keys
        try options.output.list(
            keys, none: "The registry has no key: it signs no evidence.", ["KEY", "FINGERPRINT", "SINCE", "UNTIL"]
        ) {
            ["\($0.version)", $0.fingerprint, $0.created.local, $0.retired?.local ?? "in use"]
        }
    }
}
