import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct JoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Share somebody’s bike: accept an invitation.",
        discussion: "  findmybike join https://registry.example.org/join#fmb_join_…"
    )

    @Argument(help: "The link that you got, or the part after ‘#’.")
    var link: String

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let offer = try await registry.membershipOffer(link)
        try confirmation.confirm(
            "Share the \(offer.kind.rawValue) \(offer.make) \(offer.model) as ‘\(offer.label)’, with the role "
                + "‘\(offer.role.rawValue)’? You will get alerts about it.")
        let bike = try await registry.join(link)
        try options.show(bike, "\(bike.make) \(bike.model) is shared with you, as \(bike.id).")
    }
}
