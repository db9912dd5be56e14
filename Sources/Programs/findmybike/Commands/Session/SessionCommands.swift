import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient

struct PasskeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passkey",
        abstract: "Your passkeys, with which you sign in in a browser.",
        subcommands: [List.self, Remove.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List your passkeys.",
            discussion: """
                Browsers make passkeys, on the registry’s web pages. A passkey works only at the host for which it was made.
                  findmybike passkey list
                """)

        @OptionGroup var options: CallOptions

        func run() async throws {
            try await options.connect().passkeysChoice().show(options)
        }
    }

    struct Remove: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a passkey, and sign out the browsers that it has signed in.",
            discussion: "  findmybike passkey remove phone"
        )

        @Argument(help: "The passkey’s name, or the beginning of its identifier: ‘findmybike passkey list’ shows both.")
        var passkey: String

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            try await registry.passkeysChoice().remove(passkey, confirmation, options, by: registry.removePasskey)
        }
    }
}

extension RegistryConnection {
    fileprivate func passkeysChoice() async throws -> PasskeyChoice {
        PasskeyChoice(passkeys: try await passkeys().items, list: "findmybike passkey list")
    }
}

struct SessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "The browsers in which you are signed in.",
        subcommands: [List.self, Revoke.self]
    )

    struct List: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the browsers in which you are signed in.",
            discussion: """
                A browser is signed out 90 days after its last use, which is noted once an hour.
                  findmybike session list
                """)

        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let sessions = try await RegistryConnection.all { try await registry.sessions(after: $0) }
            let short = ShortIdentifiers(sessions.map { "\($0.id)" })
            try options.output.list(sessions, ["ID", "NAME", "SIGNED IN", "BY", "LAST USED"]) {
                [
                    short.text("\($0.id)"), $0.name, $0.created.local, $0.signedIn.words,
                    $0.lastUsed?.local ?? "never",
                ]
            }
        }
    }

    struct Revoke: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign a browser out, wherever it is.",
            discussion: "  findmybike session revoke firefox"
        )

        @Argument(help: "The browser’s name, or the beginning of its identifier: ‘findmybike session list’ shows both.")
        var session: String

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let sessions = try await RegistryConnection.all { try await registry.sessions(after: $0) }
            let session = try Choice(noun: "browser", list: "findmybike session list", id: { "\($0.id)" }) { [$0.name] }
                .pick(session, among: sessions)
            try confirmation.confirm("Sign out the browser ‘\(session.name)’ (\(session.id))?")
            try await registry.revokeSession(session.id)
            try options.show(["revoked": "\(session.id)"], "The browser ‘\(session.name)’ is signed out.")
        }
    }
}

extension SignInMethod {
    fileprivate var words: String {
        switch self {
        case .passkey: "passkey"
        case .recoveryCode: "recovery code"
        case .token: "token"
        }
    }
}
