import ArgumentParser
import Foundation
import RegistryAPI
import RegistryClient

struct ChannelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel",
        abstract: "Where alerts reach you.",
        subcommands: [Add.self, List.self, Change.self, Remove.self]
    )

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a channel.", subcommands: [Webhook.self])
    }

    struct Webhook: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have alerts posted to a URL, signed by the Standard Webhooks headers.",
            discussion: "  findmybike channel add webhook https://example.org/hook"
        )

        @Argument(help: "An https URL that the registry can reach.")
        var url: String

        @OptionGroup var options: RegistryOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let registry = try options.connect()
            let key = UUID().uuidString
            let draft = ChannelDraft(kind: .webhook, url: url)
            let created = try await patiently { try await registry.createChannel(draft, idempotencyKey: key) }
            if output.json { return try Output.json(created) }
            Output.line("Channel \(created.channel.id) added. Alerts are signed with this secret, shown only now:")
            Output.line(created.secret ?? "none")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List your channels.")

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
                ["ID", "KIND", "URL", "LAST ERROR"],
                channels.map { ["\($0.id)", $0.kind.rawValue, $0.url, $0.lastError ?? "none"] }
            )
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Let a channel lead elsewhere; its secret stays.")

        @Argument(help: "The channel’s identifier.")
        var id: ChannelID

        @Argument(help: "An https URL that the registry can reach.")
        var url: String

        @OptionGroup var recovery: RecoveryOptions
        @OptionGroup var options: RegistryOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let registry = try options.connect()
            let kind = try await registry.channel(id).kind
            let changed = try await registry.changeChannel(
                id, ChannelDraft(kind: kind, url: url), recoveryCode: recovery.recoveryCode
            )
            if output.json { return try Output.json(changed) }
            Output.line("Channel \(id) leads to \(changed.url) now.")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove a channel.")

        @Argument(help: "The channel’s identifier.")
        var id: ChannelID

        @OptionGroup var recovery: RecoveryOptions
        @OptionGroup var options: RegistryOptions

        func run() async throws {
            let registry = try options.connect()
            try await registry.deleteChannel(id, recoveryCode: recovery.recoveryCode)
            Output.line("Channel \(id) removed.")
        }
    }
}
