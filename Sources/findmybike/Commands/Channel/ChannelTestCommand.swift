import ArgumentParser
import RegistryAPI
import RegistryClient

struct ChannelTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send a test message to a channel now, and tell what happened.",
        discussion: "  findmybike channel test 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203")

    @Argument(help: "The channel’s identifier.")
    var id: ChannelID

    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        // Not repeated: each call sends a message and counts.
        let result = try await options.connect().testChannel(id)
        if output.json { try Output.json(result) } else { Output.line(result.detail) }
        guard result.delivered else { throw ExitCode.failure }
    }
}

struct ChannelVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Ask an e-mail address once more whether it is yours.",
        discussion: "  findmybike channel verify 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203")

    @Argument(help: "The channel’s identifier.")
    var id: ChannelID

    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await options.connect().askChannel(id)
        try Output.done("A message was sent there: open its link within 24 hours.", ["asked": "\(id)"], output)
    }
}
