import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct BikeHistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show what happened to a bike and its beacon.",
        discussion: "  findmybike bike history brompton"
    )

    @OptionGroup var argument: BikeArgument
    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let bike = try await argument.find(at: registry)
        let events = try await RegistryConnection.all { try await registry.history(of: bike.id, after: $0) }
        try options.output.list(events, ["TIME", "WHAT", "BEACON SINCE THEN", "A STRANGER’S WORDS"]) { event in
            let words = [event.message, event.contact].compactMap { $0 }.joined(separator: " · ")
            return [event.time.local, event.event.words, event.identity?.text(rotating: event.rotating) ?? "", words]
        }
    }
}
