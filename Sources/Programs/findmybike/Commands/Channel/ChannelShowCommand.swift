import ArgumentParser
import CommandLines
import Foundation
import RegistryAPI
import RegistryClient
import Terminal

struct ChannelShowCommand: AsyncParsableCommand {
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

    func run() async throws {
        let registry = try options.connect()
        let channel = try await argument.find(at: registry)
        let deliveries = try await registry.deliveries(to: channel.id, limit: Self.shown).items
        if options.json { return try Output.json(Shown(channel: channel, deliveries: deliveries)) }
        Output.details(
            [
                ("Channel", "\(channel.id)"), ("Kind", channel.kind.rawValue), ("Address", channel.address),
                ("Environment", channel.environment?.rawValue), ("State", channel.state(after: deliveries.first)),
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
