import ArgumentParser
import RegistryAPI
import RegistryClient

struct ChannelChangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Let a channel lead elsewhere, or change what it tells and when.",
        discussion: """
            What is not named stays. A webhook’s secret always stays.
              findmybike channel change 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203 --after 15
            """
    )

    @Argument(help: "The channel’s identifier.")
    var id: ChannelID

    @Argument(help: "The new URL, address or device’s token.")
    var url: String?

    @OptionGroup var channel: ChannelOptions

    @Flag(help: "Tell sightings at once, not only when nobody acknowledged them.")
    var atOnce = false

    @Option(help: ArgumentHelp("A file with the access token that a ntfy server asks for.", valueName: "path"))
    var accessTokenFile: String?

    @Option(help: "Which of Apple’s services knows the device.")
    var environment: PushEnvironment?

    @OptionGroup var recovery: RecoveryOptions
    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let registry = try options.connect()
        let before = try await registry.channel(id)
        let draft = ChannelDraft(
            kind: before.kind, url: url ?? before.url, coordinates: channel.coordinates ?? before.coordinates,
            after: atOnce ? nil : channel.after ?? before.after,
            environment: environment ?? (url == nil ? before.environment : nil),
            accessToken: try accessTokenFile.map(ChannelSecret.read)
        )
        let changed = try await registry.changeChannel(id, draft, recoveryCode: recovery.recoveryCode)
        if output.json { return try Output.json(changed) }
        Output.line("Channel \(id) leads to \(changed.url).")
        if changed.verified == nil { Output.line("A message was sent there: open its link within 24 hours.") }
    }
}

struct ChannelRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a channel.",
        discussion: "  findmybike channel remove 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203")

    @Argument(help: "The channel’s identifier.")
    var id: ChannelID

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var recovery: RecoveryOptions
    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let registry = try options.connect()
        try confirmation.confirm("Send no more alerts to channel \(id)?")
        try await registry.deleteChannel(id, recoveryCode: recovery.recoveryCode)
        try Output.done("Channel \(id) removed.", ["removed": "\(id)"], output)
    }
}
