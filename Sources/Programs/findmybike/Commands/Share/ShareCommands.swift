import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient

/// Links to a search, for people without an account.
struct ShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Links with which others can follow a search without an account.",
        subcommands: [Create.self, List.self, Revoke.self]
    )
}

extension ShareCommand {
    struct Create: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a link to the search for a missing bike.",
            discussion: """
                Anyone who has the link sees what the bike looks like and where stations hear it, and nothing else of you. It \
                works for 7 days unless you say otherwise, and ends earlier if you revoke it, close the report, or revoke the \
                token with which you made it.
                  findmybike share create brompton --label "Police" --ends "in 3 days"
                """
        )

        @OptionGroup var argument: BikeArgument

        @Option(help: ArgumentHelp("For whom it is, 1–64 characters; only you see it.", valueName: "text"))
        var label: String?

        @Option(help: ArgumentHelp("When it stops working, in 1 hour to 30 days.", valueName: "time"))
        var ends: Timestamp?

        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let bike = try await argument.findMissing(at: registry)
            let created = try await registry.createShare(ShareDraft(label: label, ends: ends), on: bike.id)
            Output.secretFollows(
                ifLost: "A link was made that works until \(created.details.ends.local), but it was not printed, so "
                    + "nobody has it. End it with ‘findmybike share revoke \(created.details.id) \(bike.id)’, and make "
                    + "another.")
            guard !options.json else { return try Output.json(created) }
            Output.line(created.link)
            Output.line(
                "Until \(created.details.ends.local), anyone who has this link can follow the search for \(bike.make) "
                    + "\(bike.model). It is shown only now.")
        }
    }
}

extension ShareCommand {
    struct List: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the links to a bike’s searches, and how often they were opened.",
            discussion: "  findmybike share list brompton")

        @OptionGroup var argument: BikeArgument
        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let bike = try await argument.findMissing(at: registry)
            let shares = try await registry.allShares(on: bike)
            if shares.isEmpty, !options.json {
                return Output.line(
                    "\(bike.make) \(bike.model) is shared with nobody: ‘findmybike share create’ makes a link.")
            }
            let short = ShortIdentifiers(shares.map { "\($0.id)" })
            try options.output.list(shares, ["ID", "FOR", "MADE", "ENDS", "OPENED", "LAST OPENED"]) {
                [
                    short.text("\($0.id)"), $0.label ?? "-", $0.created.local, $0.ends.local, "\($0.views)",
                    $0.lastViewed?.local ?? "never",
                ]
            }
        }
    }
}

extension ShareCommand {
    struct Revoke: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a link: it no longer shows the search.",
            discussion: "  findmybike share revoke police brompton"
        )

        @Argument(
            help: "The link’s label, or the beginning of its identifier: ‘findmybike share list’ shows both.")
        var share: String

        @OptionGroup var argument: BikeArgument
        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let bike = try await argument.findMissing(at: registry)
            let shares = try await registry.allShares(on: bike)
            let share = try Choice(noun: "link", list: "findmybike share list", id: { "\($0.id)" }) {
                [$0.label ?? "made \($0.created.local)"]
            }.pick(share, among: shares)
            let name = share.label.map { "the link ‘\($0)’" } ?? "the link of \(share.created.local)"
            try confirmation.confirm("Revoke \(name) to the search for \(bike.make) \(bike.model)?")
            try await registry.revokeShare(share.id, on: bike.id)
            try options.show(["revoked": "\(share.id)"], "Revoked \(name): it no longer works.")
        }
    }
}

extension RegistryConnection {
    /// All links to the search for a bike.
    fileprivate func allShares(on bike: Bike) async throws -> [Share] {
        try await RegistryConnection.all { try await self.shares(on: bike.id, after: $0) }
    }
}
