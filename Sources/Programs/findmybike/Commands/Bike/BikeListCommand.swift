import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient
import Syntax
import Terminal

struct BikeListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List your bikes, and those that others share with you.",
        discussion: "  findmybike bike list --json")

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let bikes = try await RegistryConnection.all { try await registry.bikes(after: $0) }
        if options.json { return try bikes.forEach { try Output.json($0) } }
        guard !bikes.isEmpty else { return Output.line("No bikes yet: ‘findmybike bike register’ adds one.") }
        let short = ShortIdentifiers(bikes.map { "\($0.id)" })
        let isSharing = bikes.contains { $0.role != nil }
        let searches = try await OpenSearches(of: bikes, at: registry)
        Output.table(
            ["ID", "BIKE", "COLOURS", "BEACON", "STATE"] + (isSharing ? ["YOUR ROLE"] : []),
            bikes.map { bike in
                [
                    short.text("\(bike.id)"),
                    "\(bike.make) \(bike.model)",
                    bike.colours.map(\.rawValue).joined(separator: "/"),
                    bike.beaconText,
                    bike.stateText(searches[bike]),
                ] + (isSharing ? [bike.role?.rawValue ?? "owner"] : [])
            },
            tone: { $0.begins(with: "MISSING") || $0 == Bike.unreadableText ? .alarm : nil }
        )
        searches.remark(on: bikes)
        for bike in bikes { if let remark = bike.unreadableRemark { Output.line(remark) } }
    }
}
