import ArgumentParser

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
