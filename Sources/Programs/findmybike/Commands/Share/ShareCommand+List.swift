import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

extension ShareCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the links to a bike’s searches, and how often they were opened.",
            discussion: "  findmybike share list brompton")

        @OptionGroup var argument: BikeArgument
        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.findMissing(at: registry)
            let shares = try await registry.allShares(on: bike)
            if shares.isEmpty, !options.json {
                return Output.line(
                    "\(bike.make) \(bike.model) is shared with nobody: ‘findmybike share create’ makes a link.")
            }
            let short = ShortIdentifiers(shares.map { "\($0.id)" })
            try options.output.list(shares, ["ID", "FOR", "MADE", "ENDS", "OPENED", "LAST OPENED"]) {
                [
                    short.text("\($0.id)"), $0.label ?? "-", $0.created.local, $0.ends.local, "\($0.views)",
                    $0.lastViewed?.local ?? "never",
                ]
            }
        }
    }
}

extension RegistryConnection {
    func allShares(on bike: Bike) async throws -> [Share] {
        try await RegistryConnection.all { try await self.shares(on: bike.id, after: $0) }
    }
}
