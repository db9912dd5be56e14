import ArgumentParser
import Beacons
import CommandLines
import RegistryAPI
import RegistryClient

struct FoundCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "found",
        abstract: "Tell the holder of a beacon that you hear it. No account is needed.",
        discussion: """
            ‘findmybike scan’ shows the beacons around. You learn nothing about the holder, who decides whether to write.
              findmybike found 21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:20815 --message "behind the station"
            """
    )

    @Argument(help: ArgumentHelp("The beacon that you hear.", valueName: "uuid:major:minor"))
    var identity: BeaconIdentity

    @Option(help: "What the holder should know, at most 500 characters.")
    var message: String?

    @Option(help: "How the holder can reach you, at most 128 characters.")
    var contact: String?

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.registry.connectWithoutToken()
        let find = Find(identity: identity, message: message, contact: contact)
        try await registry.tell(find)
        try options.show(["told": "\(identity)"], "If somebody owns this beacon, they get a message.")
    }
}
