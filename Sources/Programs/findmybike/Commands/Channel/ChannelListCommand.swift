import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient
import Syntax
import Terminal

struct ChannelListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List your channels.",
        discussion: "  findmybike channel list")

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let channels = try await RegistryConnection.all { try await registry.channels(after: $0) }
        if options.json { return try channels.forEach { try Output.json($0) } }
        guard !channels.isEmpty else { return Output.line("No channels yet: nothing can alert you.") }
        Output.table(
            ["ID", "KIND", "ADDRESS", "STATE"], try await rows(channels, at: registry),
            tone: { $0.begins(with: "works") ? .good : $0.begins(with: "FAILS") ? .alarm : nil }
        )
    }

    private func rows(_ channels: [Channel], at registry: RegistryConnection) async throws -> [[String]] {
        let short = ShortIdentifiers(channels.map { "\($0.id)" })
        var rows: [[String]] = []
        for channel in channels {
            let latest = try await registry.deliveries(to: channel.id, limit: 1).items.first
            rows.append([
                short.text("\(channel.id)"), channel.kind.rawValue, channel.address, channel.state(after: latest),
            ])
        }
        return rows
    }
}

extension Channel {
    /// Whether alerts are delivered there, as far as is known.
    var isUsable: Bool { verified != nil && lastError == nil }

    /// A few words about whether messages are delivered.
    ///
    /// - Parameter latest: the latest message to this channel, if there is one.
    func state(after latest: ChannelDelivery?) -> String {
        if verified == nil { return "not verified yet: open the link in the message that was sent there" }
        if let lastError { return "FAILS: \(lastError)" }
        guard let latest else { return "no alerts sent yet: ‘findmybike channel test’ tries it" }
        if let error = latest.lastError, latest.delivered == nil { return "FAILS: \(error)" }
        return latest.delivered.map { "works, last message \($0.local)" } ?? "a message is waiting to be sent"
    }
}
