import ArgumentParser
import CommandSupport
import Foundation
import RegistryAPI
import RegistryClient
import Terminal

struct ChannelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel",
        abstract: "Where alerts reach you.",
        subcommands: [
            ChannelAddCommand.self, ChannelListCommand.self, ChannelShowCommand.self, ChannelTestCommand.self,
            ChannelVerifyCommand.self, ChannelChangeCommand.self, ChannelRemoveCommand.self,
        ]
    )
}

/// Options of every kind of channel.
struct ChannelOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: "Whether messages include the place. By default only webhooks and Web Push do."
    )
    var coordinates: Bool?

    @Option(
        help: ArgumentHelp("Send a sighting only if nobody has acknowledged it after this time.", valueName: "minutes"))
    var after: Int?

    func validate() throws {
        guard after.map(Channel.waits.contains) ?? true else {
            throw ValidationError("--after must be \(Channel.waits.lowerBound) to \(Channel.waits.upperBound) minutes")
        }
    }
}

struct ChannelListCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List your channels.",
        discussion: "  findmybike channel list")

    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let channels = try await RegistryConnection.all { try await registry.channels(after: $0) }
        if options.json { return try channels.forEach { try Output.json($0) } }
        guard !channels.isEmpty else { return Output.line("No channels yet: nothing can alert you.") }
        Output.table(["ID", "KIND", "ADDRESS", "STATE"], cells: try await rows(channels, at: registry))
    }

    private func rows(_ channels: [Channel], at registry: RegistryConnection) async throws -> [[Table.Cell]] {
        let short = ShortIdentifiers(channels.map { "\($0.id)" })
        var rows: [[Table.Cell]] = []
        for channel in channels {
            let latest = try await registry.deliveries(to: channel.id, limit: 1).items.first
            rows.append([
                Table.Cell(short.text("\(channel.id)")), Table.Cell(channel.kind.rawValue),
                Table.Cell(channel.address), channel.state(after: latest),
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
    func state(after latest: ChannelDelivery?) -> Table.Cell {
        if verified == nil {
            return Table.Cell("not verified yet: open the link in the message that was sent there")
        }
        if let lastError { return Table.Cell("FAILS: \(lastError)", .alarm) }
        guard let latest else { return Table.Cell("no alerts sent yet: ‘findmybike channel test’ tries it") }
        if let time = latest.delivered { return Table.Cell("works, last message \(time.local)", .good) }
        if let error = latest.lastError { return Table.Cell("FAILS: \(error)", .alarm) }
        return Table.Cell("a message is waiting to be sent")
    }
}

struct ChannelShowCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a channel and the state of its latest messages.",
        discussion: "  findmybike channel show email")

    @OptionGroup var argument: ChannelArgument

    @OptionGroup var options: CallOptions

    /// The maximum number of messages shown.
    private static let shown = 20

    private struct Shown: Encodable {
        let channel: Channel
        let deliveries: [ChannelDelivery]
    }

    func run(at registry: RegistryConnection) async throws {
        let channel = try await argument.find(at: registry)
        let deliveries = try await registry.deliveries(to: channel.id, limit: Self.shown).items
        if options.json { return try Output.json(Shown(channel: channel, deliveries: deliveries)) }
        Output.details(
            [
                ("Channel", "\(channel.id)"), ("Kind", channel.kind.rawValue), ("Address", channel.address),
                ("Environment", channel.environment?.rawValue), ("State", channel.state(after: deliveries.first).text),
                ("Tells place", channel.coordinates ? "yes" : "no"),
                ("Waits", channel.after.map { "\(counted($0, "minute")) for an acknowledgement" }),
                ("Added", channel.created.local),
            ], width: 13)
        guard !deliveries.isEmpty else { return Output.line("No alerts were sent there yet. Tests are not listed.") }
        Output.table(["SENT", "WHAT", "ATTEMPTS", "STATE"], deliveries.map(Self.row))
    }

    private static func row(_ delivery: ChannelDelivery) -> [String] {
        let state =
            if let time = delivery.delivered {
                "arrived \(time.local)"
            } else if let next = delivery.next {
                delivery.attempts == 0
                    ? "waits" : "next attempt \(next.local): \(delivery.lastError ?? "no answer yet")"
            } else {
                "given up: \(delivery.lastError ?? "unknown")"
            }
        return [delivery.created.local, delivery.words, "\(delivery.attempts)", state]
    }
}

struct ChannelTestCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send a test message to a channel now, and show the result.",
        discussion: "  findmybike channel test webhook")

    @OptionGroup var argument: ChannelArgument

    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let channel = try await argument.find(at: registry)
        // Not retried: each call sends a message and counts towards the limit.
        let result = try await registry.testChannel(channel.id)
        if options.json { try Output.json(result) } else { Output.line(result.detail) }
        guard result.delivered else { throw ExitCode.failure }
    }
}

struct ChannelVerifyCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Send another verification message to an e-mail address.",
        discussion: "  findmybike channel verify me@example.org")

    @OptionGroup var argument: ChannelArgument

    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let channel = try await argument.find(at: registry)
        try await registry.askChannel(channel.id)
        try options.show(
            ["asked": "\(channel.id)"], "A message was sent to \(channel.address): open its link within 24 hours.")
    }
}
