import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient

/// One of the owner's channels.
struct ChannelArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Its kind, part of its address, or the beginning of its identifier. Not needed with a single channel.",
            valueName: "channel"
        )
    )
    var channel: String?

    /// The channel with that name; the only one if no name is given.
    func find(at registry: RegistryConnection) async throws -> Channel { try await Self.find(channel, at: registry) }

    static func find(_ channel: String?, at registry: RegistryConnection) async throws -> Channel {
        if let channel, let id = ChannelID(channel) {
            return try await registry.channel(id)
        }
        let channels = try await registry.allChannels()
        guard !channels.isEmpty else {
            throw CommandFailure(.dataError, "you have no channels yet: ‘findmybike channel add’ adds one")
        }
        return try Choice(noun: "channel", list: "findmybike channel list", id: { "\($0.id)" }, names: \.names)
            .pick(channel, among: channels)
    }
}

extension RegistryConnection {
    func allChannels() async throws -> [Channel] {
        try await RegistryConnection.all { try await self.channels(after: $0) }
    }
}

extension Channel {
    /// Such as “email me@example.org”.
    var name: String { "\(kind.rawValue) \(address)" }
    fileprivate var names: [String] { [name, kind.rawValue, address] }
}
