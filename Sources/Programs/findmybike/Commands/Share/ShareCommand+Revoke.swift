import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

extension ShareCommand {
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a link: nobody can follow the search with it any more.",
            discussion: "  findmybike share revoke police brompton"
        )

        @Argument(
            help: "The link’s label, or the beginning of its identifier: ‘findmybike share list’ shows both.")
        var share: String

        @OptionGroup var argument: BikeArgument
        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.findMissing(at: registry)
            let shares = try await registry.allShares(on: bike)
            let share = try Choice(noun: "link", list: "findmybike share list", id: { "\($0.id)" }) {
                [$0.label ?? "made \($0.created.local)"]
            }.pick(share, among: shares)
            let name = share.label.map { "the link ‘\($0)’" } ?? "the link of \(share.created.local)"
            try confirmation.confirm("Revoke \(name) to the search for \(bike.make) \(bike.model)?")
            try await registry.revokeShare(share.id, on: bike.id)
            try options.show(["revoked": "\(share.id)"], "Nobody can use \(name) any more.")
        }
    }
}
