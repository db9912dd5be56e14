import ArgumentParser
import RegistryAPI
import RegistryClient

struct ChannelListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List your channels.",
        discussion: "  findmybike channel list")

    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let registry = try options.connect()
        let channels = try await RegistryConnection.all { cursor in
            try await patiently { try await registry.channels(after: cursor) }
        }
        if output.json { return try channels.forEach { try Output.json($0) } }
        guard !channels.isEmpty else { return Output.line("No channels yet: nothing can alert you.") }
        Output.table(
            ["ID", "KIND", "ADDRESS", "STATE"],
            channels.map { ["\($0.id)", $0.kind.rawValue, $0.url, $0.state] }
        )
    }
}

extension Channel {
    /// In a few words.
    var state: String { verified == nil ? "waits to be verified" : lastError ?? "works" }
}
