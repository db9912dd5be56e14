import ArgumentParser
import Beacons
import CommandLines
import RegistryAPI
import RegistryClient

struct FoundCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "found",
        abstract: "Tell the owner of a beacon that you hear it. You need no account.",
        discussion: """
            ‘findmybike scan’ shows the beacons nearby. If it changes its identity, give the present one: the registry \
            knows it while the bike is missing. You learn nothing about the owner, who decides whether to contact you.
              findmybike found 21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:20815 --message "behind the station"
            """
    )

    @Argument(help: ArgumentHelp("The beacon’s identity.", valueName: "uuid:major:minor"))
    var identity: BeaconIdentity

    @Option(help: "A message to the owner, at most 500 characters.")
    var message: String?

    @Option(help: "How the owner can contact you, at most 128 characters.")
    var contact: String?

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.registry.connectWithoutToken()
        let find = Find(identity: identity, message: message, contact: contact)
        try await registry.tell(find)
        try options.show(["told": "\(identity)"], "If this beacon has an owner, they get a message.")
    }
}
