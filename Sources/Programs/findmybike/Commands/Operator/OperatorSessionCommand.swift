import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct OperatorSessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "The browsers in which you are signed in as an operator.",
        subcommands: [List.self, Revoke.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the browsers in which you are signed in as an operator.",
            discussion: """
                A browser is signed out 60 minutes after its last use, and at most 12 hours after you signed in.
                  findmybike operator session list
                """)

        @OptionGroup var options: CallOptions

        func run() async throws {
            let sessions = try await options.connect().deskSessions().items
            let short = ShortIdentifiers(sessions.map { "\($0.id)" })
            try options.output.list(sessions, ["ID", "NAME", "SIGNED IN", "BY", "LAST USED", "ENDS"]) {
                [
                    short.text("\($0.id)"), $0.name, $0.began.local, $0.signedIn.rawValue, $0.lastUsed.local,
                    $0.ends.local,
                ]
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign a browser out, wherever it is.",
            discussion: "  findmybike operator session revoke firefox"
        )

        @Argument(
            help: "The browser’s name, or its identifier’s beginning: ‘findmybike operator session list’ shows both.")
        var session: String

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            let sessions = try await registry.deskSessions().items
            let session = try Choice(noun: "browser", list: "findmybike operator session list", id: { "\($0.id)" }) {
                [$0.name]
            }
            .pick(session, among: sessions)
            try confirmation.confirm("Sign out the browser ‘\(session.name)’ (\(session.id))?")
            try await registry.endDeskSession(session.id)
            try options.show(["revoked": "\(session.id)"], "The browser ‘\(session.name)’ is signed out.")
        }
    }
}
