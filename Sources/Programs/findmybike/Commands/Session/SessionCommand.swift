import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct SessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "The browsers in which you are signed in.",
        subcommands: [List.self, Revoke.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the browsers in which you are signed in.",
            discussion: """
                A browser is signed out 90 days after its last use, which is noted once an hour.
                  findmybike session list
                """)

        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
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

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign a browser out, wherever it is.",
            discussion: "  findmybike session revoke firefox"
        )

        @Argument(help: "The browser’s name, or the beginning of its identifier: ‘findmybike session list’ shows both.")
        var session: String

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
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
