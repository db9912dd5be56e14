import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct ChannelTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send a test message to a channel now, and show the result.",
        discussion: "  findmybike channel test webhook")

    @OptionGroup var argument: ChannelArgument

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let channel = try await argument.find(at: registry)
        // Not retried: each call sends a message and counts towards the limit.
        let result = try await registry.testChannel(channel.id)
        if options.json { try Output.json(result) } else { Output.line(result.detail) }
        guard result.delivered else { throw ExitCode.failure }
    }
}

struct ChannelVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Send another verification message to an e-mail address.",
        discussion: "  findmybike channel verify me@example.org")

    @OptionGroup var argument: ChannelArgument

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let channel = try await argument.find(at: registry)
        try await registry.askChannel(channel.id)
        try options.show(
            ["asked": "\(channel.id)"], "A message was sent to \(channel.address): open its link within 24 hours.")
    }
}
