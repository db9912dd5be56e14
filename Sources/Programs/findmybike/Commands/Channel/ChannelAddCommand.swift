import ArgumentParser
import CommandSupport
import Foundation
import RegistryAPI
import RegistryClient
import Terminal

struct ChannelAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a channel.",
        subcommands: [Webhook.self, Email.self, Ntfy.self, WebPush.self, APNs.self]
    )

    /// How to get alerts.
    ///
    /// - Parameter offered: the kinds that the registry offers; nil if it does not say.
    static func advice(_ offered: [ChannelKind]?) -> String {
        // The simplest first. The others need a program that subscribes.
        let simplest: [(kind: ChannelKind, command: String)] = [
            (.email, "email ADDRESS"), (.ntfy, "ntfy https://SERVER/TOPIC"), (.webhook, "webhook https://HOST/PATH"),
        ]
        let usable = simplest.filter { offered?.contains($0.kind) ?? true }
        guard !usable.isEmpty else { return "ask the registry’s operator to offer a kind of channel." }
        let commands = usable.map { "‘findmybike channel add \($0.command)’" }.joined(separator: " or ")
        return "add a channel with \(commands)."
    }

    /// Options for adding a channel of any kind.
    struct Options: ParsableArguments {
        @OptionGroup var channel: ChannelOptions
        @OptionGroup var options: CallOptions

        /// Adds the channel and prints the result; `next` returns the next steps for this kind.
        func add(_ draft: ChannelDraft, _ next: (ChannelCreated) -> [String]) async throws {
            let registry = try options.connect()
            var draft = draft
            draft.coordinates = channel.coordinates
            draft.after = channel.after
            let whole = draft
            let created = try await registry.createChannel(whole)
            if created.secret != nil {
                Output.secretFollows(
                    ifLost: "The channel was added, but its secret was not printed, and it cannot be shown again. "
                        + "Remove it with ‘findmybike channel remove \(created.channel.id)’, and add it again.")
            }
            if options.json { return try Output.json(created) }
            Output.line("From now on, alerts go to \(created.channel.name).")
            next(created).forEach { Output.line($0) }
        }
    }

    struct Webhook: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send alerts to a URL, signed with Standard Webhooks headers.",
            discussion: "  findmybike channel add webhook https://example.org/hook"
        )

        @Argument(help: "An https URL that the registry can reach.")
        var url: String

        @OptionGroup var options: Options

        func run() async throws {
            try await options.add(ChannelDraft(kind: .webhook, address: url)) { created in
                ["Alerts are signed with this secret, shown only now:", created.secret ?? "none"]
            }
        }
    }

    struct Email: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send alerts to an e-mail address, once it is verified.",
            discussion: "  findmybike channel add email me@example.org"
        )

        @Argument(help: "Your address.")
        var address: String

        @OptionGroup var options: Options

        func run() async throws {
            try await options.add(ChannelDraft(kind: .email, address: address)) { _ in
                ["A message was sent there: open its link within 24 hours. Before that, no alerts are sent."]
            }
        }
    }

    struct Ntfy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Publish alerts to a topic on an ntfy server.",
            discussion: """
                Anyone who knows the topic’s name can read the alerts, unless the server requires a token.

                  findmybike channel add ntfy https://ntfy.example.org/a-name-that-nobody-guesses
                """
        )

        @Argument(help: "The topic’s URL.")
        var url: String

        @Option(help: ArgumentHelp("A file with the access token, if the server requires one.", valueName: "path"))
        var accessTokenFile: String?

        @OptionGroup var options: Options

        func run() async throws {
            let token = try accessTokenFile.map(ChannelSecret.read)
            try await options.add(ChannelDraft(kind: .ntfy, address: url, accessToken: token)) { _ in
                ["Subscribe to \(url) in the ntfy app, and try it: findmybike channel test ntfy"]
            }
        }
    }

    struct WebPush: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "webpush",
            abstract: "Send alerts to a browser, encrypted so that only it can read them.",
            discussion: """
                The file contains the PushSubscription, by JSON.stringify, of a page that is subscribed with the \
                registry’s key (GET /v1/web-push/key):

                  findmybike channel add webpush subscription.json
                """
        )

        @Argument(help: "A file with the subscription as JSON; - reads standard input.")
        var subscription: String

        @OptionGroup var options: Options

        private struct Subscription: Decodable {
            let endpoint: String
            let keys: PushKeys
        }

        func run() async throws {
            let text = try ChannelSecret.read(subscription)
            guard let parsed = try? JSONDecoder().decode(Subscription.self, from: Data(text.utf8)) else {
                throw ValidationError(
                    "\(subscription) is not a subscription: it must contain endpoint, keys.p256dh and keys.auth")
            }
            try await options.add(ChannelDraft(kind: .webpush, address: parsed.endpoint, keys: parsed.keys)) { _ in [] }
        }
    }

    struct APNs: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "apns",
            abstract: "Send alerts to an Apple device with the operator’s app.",
            discussion: "  findmybike channel add apns 00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"
        )

        @Argument(help: "The device’s token in hexadecimal digits, as the app shows it.")
        var token: String

        @Option(help: "The Apple service that knows the device; by default both are tried.")
        var environment: PushEnvironment?

        @OptionGroup var options: Options

        func run() async throws {
            try await options.add(ChannelDraft(kind: .apns, address: token, environment: environment)) { _ in [] }
        }
    }
}

/// Secrets, which do not belong on a command line, because every user of the machine can read it.
enum ChannelSecret {
    /// The text of a file, or of standard input for `-`, without surrounding white space.
    static func read(_ path: String) throws -> String {
        let data = path == "-" ? StandardInput.data() ?? Data() : FileManager.default.contents(atPath: path)
        guard let data, let text = String(data: data, encoding: .utf8) else {
            throw ValidationError("\(path) cannot be read")
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
