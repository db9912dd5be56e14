import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct EvidenceKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List the registry’s present and former signing keys.",
        discussion: """
            Before you trust a fingerprint, compare it with one from another source (the operator by telephone, a \
            printed page): somebody who impersonates the registry would show their own key.
              findmybike evidence keys
            """
    )

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.registry.connectWithoutToken()
        let keys = try await registry.keys().keys
        try options.output.list(
            keys, none: "The registry has no key to sign evidence.", ["KEY", "FINGERPRINT", "SINCE", "UNTIL"]
        ) {
            ["\($0.version)", $0.fingerprint, $0.created.local, $0.retired?.local ?? "in use"]
        }
    }
}
