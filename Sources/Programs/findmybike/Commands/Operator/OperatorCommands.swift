import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient
import Terminal

struct OperatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator",
        abstract: "Manage the registry’s operators, with an operator’s token.",
        subcommands: [
            OperatorOverviewCommand.self, OperatorSearchesCommand.self, OperatorListCommand.self,
            OperatorCreateCommand.self, OperatorRevokeCommand.self, OperatorSessionCommand.self,
            OperatorPasskeyCommand.self,
        ]
    )
}

struct OperatorCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make another operator.",
        discussion: "  findmybike operator create Ada --output ada.token"
    )

    @Argument(help: "The operator’s name, 1–64 characters.")
    var name: String

    @OptionGroup var newFile: NewTokenFile
    @OptionGroup var options: CallOptions

    func run() async throws {
        let file = try newFile.checked()
        let created = try await options.connect().createOperator(OperatorDraft(name: name))
        try file.create(created.token)
        try options.show(
            created.details, "Operator \(created.details.id) (\(name)) can log in with the token in \(file.path).")
    }
}

struct OperatorListCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the operators.", discussion: "  findmybike operator list")

    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let operators = try await RegistryConnection.all { try await registry.operators(after: $0) }
        try options.output.list(operators, ["ID", "NAME", "MADE", "STATE"]) {
            ["\($0.id)", $0.name, $0.created.local, $0.revoked.map { "revoked on \($0.local)" } ?? "works"]
        }
    }
}

struct OperatorRevokeCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke an operator’s token permanently.",
        discussion: "  findmybike operator revoke 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203"
    )

    @Argument(
        help: ArgumentHelp(
            "Part of the operator’s name, or the beginning of the identifier, as ‘findmybike operator list’ shows them.",
            valueName: "operator"))
    var name: String

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let meant = try await find(at: registry)
        let id = meant.id
        try confirmation.confirm("Lock out operator \(id) (\(meant.name))?")
        let revoked = try await registry.revokeOperator(id)
        try options.show(revoked, "Operator \(id) (\(revoked.name)) was revoked.")
    }

    private func find(at registry: RegistryConnection) async throws -> Operator {
        let operators = try await RegistryConnection.all { try await registry.operators(after: $0) }
        return try Choice(noun: "operator", list: "findmybike operator list", id: { "\($0.id)" }) { [$0.name] }
            .pick(name, among: operators)
    }
}

struct OperatorPasskeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passkey",
        abstract: "Your passkeys as an operator.",
        subcommands: [List.self, Remove.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List your passkeys as an operator.",
            discussion: """
                Browsers make passkeys, on the operator’s desk. A passkey works only at the host for which it was made.
                  findmybike operator passkey list
                """)

        @OptionGroup var options: CallOptions

        func run() async throws {
            try await options.connect().deskPasskeysChoice().show(options)
        }
    }

    struct Remove: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a passkey, and sign out the browsers that it has signed in.",
            discussion: "  findmybike operator passkey remove key"
        )

        @Argument(
            help: "The passkey’s name, or its identifier’s beginning: ‘findmybike operator passkey list’ shows both.")
        var passkey: String

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            try await registry.deskPasskeysChoice().remove(
                passkey, confirmation, options, by: registry.removeDeskPasskey)
        }
    }
}

extension RegistryConnection {
    fileprivate func deskPasskeysChoice() async throws -> PasskeyChoice {
        PasskeyChoice(passkeys: try await deskPasskeys().items, list: "findmybike operator passkey list")
    }
}

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

    struct Revoke: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign a browser out, wherever it is.",
            discussion: "  findmybike operator session revoke firefox"
        )

        @Argument(
            help: "The browser’s name, or its identifier’s beginning: ‘findmybike operator session list’ shows both.")
        var session: String

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
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

struct OperatorSearchesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "searches",
        abstract: "Count how many searches were heard, how soon, and how long they lasted.",
        discussion: """
            Only counts, without false alarms, with the first search for each beacon and at most two of an owner in 90 \
            days. They change when searches of ten more owners have ended. To weight a plan’s models of thieves by them:
              findmybike operator searches --json > searches.json
              findmybike plan --streets city.osm.pbf --stations stations.json --experience searches.json
            """)

    @OptionGroup var options: CallOptions

    func run() async throws {
        let closed = try await options.connect().closedSearches()
        if options.json { return try Output.json(closed) }
        Output.line("\(counted(closed.searches, "search", "searches")) ended before \(closed.until.local):")
        let spans = ClosedSearches.Span.allCases
        Output.table(
            ["LASTED"] + spans.map { "HEARD WITHIN \($0.rawValue.uppercased())" } + ["NOT HEARD"],
            spans.map { lasted in
                let heard = spans.map { Self.count(heardWithin: $0, lasted: lasted, in: closed) }
                return [lasted.words] + heard + [Self.count(heardWithin: nil, lasted: lasted, in: closed)]
            })
    }

    /// A cell of the table.
    ///
    /// - Parameter span: nil for bikes that were not heard.
    private static func count(
        heardWithin span: ClosedSearches.Span?, lasted: ClosedSearches.Span, in closed: ClosedSearches
    ) -> String {
        let count = closed.counts.first { $0.heardWithin == span && $0.lasted == lasted }
        return count.map { "\($0.searches)" } ?? "–"
    }
}

extension ClosedSearches.Span {
    fileprivate var words: String {
        switch self {
        case .hour: "up to an hour"
        case .day: "up to a day"
        case .week: "up to a week"
        case .month: "up to 30 days"
        case .longer: "longer"
        }
    }
}
