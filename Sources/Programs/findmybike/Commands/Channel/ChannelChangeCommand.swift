import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient

struct ChannelChangeCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Change a channel’s address, or what it sends and when.",
        discussion: """
            Details that you do not name stay unchanged. A webhook’s secret never changes.
              findmybike channel change email --after 15
            """
    )

    @Argument(help: "Its kind, part of its address, or the beginning of its identifier.")
    var channelName: String

    @Argument(help: "The new URL, address or device’s token.")
    var url: String?

    @OptionGroup var channel: ChannelOptions

    @Flag(help: "Send sightings immediately, not only if nobody acknowledged them.")
    var atOnce = false

    @Option(help: ArgumentHelp("A file with an ntfy server’s access token.", valueName: "path"))
    var accessTokenFile: String?

    @Option(help: "The Apple service that knows the device.")
    var environment: PushEnvironment?

    @OptionGroup var recovery: RecoveryOptions
    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let before = try await ChannelArgument.find(channelName, at: registry)
        let draft = ChannelDraft(
            kind: before.kind, address: url ?? before.address, coordinates: channel.coordinates ?? before.coordinates,
            after: atOnce ? nil : channel.after ?? before.after,
            environment: environment ?? (url == nil ? before.environment : nil),
            accessToken: try accessTokenFile.map(ChannelSecret.read)
        )
        let changed = try await registry.changeChannel(before.id, draft, recoveryCode: recovery.recoveryCode)
        if options.json { return try Output.json(changed) }
        Output.line("The \(changed.kind.rawValue) channel now leads to \(changed.address).")
        if changed.verified == nil { Output.line("A message was sent there: open its link within 24 hours.") }
    }
}

struct ChannelRemoveCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a channel.",
        discussion: "  findmybike channel remove me@example.org")

    @OptionGroup var argument: ChannelArgument

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var recovery: RecoveryOptions
    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let channel = try await argument.find(at: registry)
        try confirmation.confirm("Stop sending alerts to \(channel.name)?")
        try await registry.deleteChannel(channel.id, recoveryCode: recovery.recoveryCode)
        try options.show(["removed": "\(channel.id)"], "No more alerts go to \(channel.name).")
    }
}
