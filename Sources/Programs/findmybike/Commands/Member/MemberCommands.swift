import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient
import Terminal

struct MemberCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "member",
        abstract: "Family and friends with whom you share a bike.",
        subcommands: [List.self, Invite.self, Cancel.self, Role.self, Remove.self, Leave.self]
    )
}

/// One of a bike's members.
struct MemberArgument: ParsableArguments {
    @Argument(help: "The member’s label, or the beginning of the identifier: ‘findmybike member list’ shows both.")
    var member: String

    func find(on bike: Bike, at registry: RegistryConnection) async throws -> Member {
        try Choice(noun: "member", list: "findmybike member list", id: { "\($0.id)" }) { [$0.label] }
            .pick(member, among: try await registry.members(of: bike.id))
    }
}

extension MemberRole {
    static let help: ArgumentHelp =
        "see: sightings and alerts; report: also mark missing and found; manage: also change the bike and invite others."
}

struct JoinCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Share somebody’s bike: accept an invitation.",
        discussion: "  findmybike join https://registry.example.org/join#fmb_join_…"
    )

    @Argument(help: "The link that you got, or the part after ‘#’.")
    var link: String

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let offer = try await registry.membershipOffer(link)
        try confirmation.confirm(
            "Share the \(offer.kind.rawValue) \(offer.make) \(offer.model) as ‘\(offer.label)’, with the role "
                + "‘\(offer.role.rawValue)’? You will get alerts about it.")
        let bike = try await registry.join(link)
        try options.show(bike, "\(bike.make) \(bike.model) is shared with you, as \(bike.id).")
    }
}

extension MemberCommand {
    struct Invite: OneBikeCommand {
        static let configuration = CommandConfiguration(
            abstract: "Invite somebody to share a bike.",
            discussion: """
                The link works once, for seven days, for whoever has it: send it to nobody else.
                  findmybike member invite brompton --role report --label Anna
                """)

        @OptionGroup var argument: BikeArgument

        @Option(help: MemberRole.help)
        var role: MemberRole

        @Option(help: "The name by which you know the member.")
        var label: String

        @OptionGroup var options: CallOptions

        func run(on bike: Bike, at registry: RegistryConnection) async throws {
            let made = try await registry.inviteMember(
                MemberInvitationDraft(role: role, label: label), to: bike.id)
            Output.secretFollows(
                ifLost: "An invitation was made, but it was not printed, so nobody has it. End it with ‘findmybike "
                    + "member cancel \(made.details.id) \(bike.id)’, and make another.")
            if options.json { return try Output.json(made) }
            Output.line(
                "Until \(made.details.expires.local), one person can share \(bike.make) \(bike.model), with the role "
                    + "‘\(role.rawValue)’:")
            if let link = made.link { Output.line("  \(link)") }
            Output.line("  findmybike join \(made.secret)")
        }
    }

    struct Cancel: OneBikeCommand {
        static let configuration = CommandConfiguration(
            abstract: "Cancel an open invitation.",
            discussion: "  findmybike member cancel anna brompton")

        @Argument(
            help: "The invitation’s label, or the beginning of its identifier: ‘findmybike member list’ shows both.")
        var invitation: String

        @OptionGroup var argument: BikeArgument
        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run(on bike: Bike, at registry: RegistryConnection) async throws {
            let found = try Choice(noun: "invitation", list: "findmybike member list", id: { "\($0.id)" }) {
                [$0.label]
            }
            .pick(invitation, among: try await registry.memberInvitations(of: bike.id))
            try confirmation.confirm("Cancel the invitation for \(found.label) to \(bike.make) \(bike.model)?")
            try await registry.cancelMemberInvitation(found.id, of: bike.id)
            try options.show(["cancelled": "\(found.id)"], "The invitation for \(found.label) no longer works.")
        }
    }
}

extension MemberCommand {
    struct List: OneBikeCommand {
        static let configuration = CommandConfiguration(
            abstract: "List a bike’s members and open invitations.",
            discussion: """
                If you are a member yourself and do not manage the bike, you see only yourself.
                  findmybike member list brompton
                """)

        @OptionGroup var argument: BikeArgument
        @OptionGroup var options: CallOptions

        func run(on bike: Bike, at registry: RegistryConnection) async throws {
            let members = try await registry.members(of: bike.id)
            let isManager = bike.role == nil || bike.role == .manage
            let invitations = isManager ? try await registry.memberInvitations(of: bike.id) : []
            if options.json {
                try members.forEach { try Output.json($0) }
                return try invitations.forEach { try Output.json(Open(invitation: $0)) }
            }
            guard !members.isEmpty || !invitations.isEmpty else {
                return Output.line(
                    "You share \(bike.make) \(bike.model) with nobody: ‘findmybike member invite’ invites somebody.")
            }
            let short = ShortIdentifiers(members.map { "\($0.id)" } + invitations.map { "\($0.id)" })
            let rows: [[Table.Cell]] = members.map { member in
                let label = member.label + (member.current ? " (you)" : "")
                let texts = [short.text("\(member.id)"), label, member.role.rawValue, member.since.local]
                return texts.map { Table.Cell($0) }
            }
            let invited: [[Table.Cell]] = invitations.map { invitation in
                let texts = [short.text("\(invitation.id)"), invitation.label, invitation.role.rawValue]
                let state = "invited, the link works until \(invitation.expires.local)"
                return texts.map { Table.Cell($0) } + [Table.Cell(state, .warning)]
            }
            Output.table(["ID", "LABEL", "ROLE", "SINCE"], cells: rows + invited)
        }

        /// An invitation as JSON; its one field distinguishes it from a member.
        private struct Open: Encodable {
            let invitation: MemberInvitation
        }
    }
}

extension MemberCommand {
    struct Role: OneBikeCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a member another role.",
            discussion: "  findmybike member role anna see brompton")

        @OptionGroup var member: MemberArgument

        @Argument(help: MemberRole.help)
        var role: MemberRole

        @OptionGroup var argument: BikeArgument
        @OptionGroup var options: CallOptions

        func run(on bike: Bike, at registry: RegistryConnection) async throws {
            let found = try await member.find(on: bike, at: registry)
            let changed = try await registry.changeRole(of: found.id, on: bike.id, to: role)
            try options.show(
                changed, "\(changed.label) has the role ‘\(changed.role.rawValue)’ on \(bike.make) \(bike.model).")
        }
    }

    struct Remove: OneBikeCommand {
        static let configuration = CommandConfiguration(
            abstract: "Share a bike with somebody no longer.",
            discussion: "  findmybike member remove anna brompton")

        @OptionGroup var member: MemberArgument
        @OptionGroup var argument: BikeArgument
        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run(on bike: Bike, at registry: RegistryConnection) async throws {
            let found = try await member.find(on: bike, at: registry)
            try confirmation.confirm("Stop sharing \(bike.make) \(bike.model) with \(found.label)?")
            try await registry.removeMember(found.id, of: bike.id)
            try options.show(["removed": "\(found.id)"], "\(found.label) sees \(bike.make) \(bike.model) no longer.")
        }
    }

    struct Leave: OneBikeCommand {
        static let configuration = CommandConfiguration(
            abstract: "Leave a bike that somebody shares with you.",
            discussion: "  findmybike member leave brompton")

        @OptionGroup var argument: BikeArgument
        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run(on bike: Bike, at registry: RegistryConnection) async throws {
            guard let own = try await registry.members(of: bike.id).first(where: \.current) else {
                throw CommandFailure(
                    .dataError, "\(bike.make) \(bike.model) is your own: ‘findmybike bike transfer’ hands it over")
            }
            try confirmation.confirm("Leave \(bike.make) \(bike.model)? You will get no more alerts about it.")
            try await registry.removeMember(own.id, of: bike.id)
            try options.show(["left": "\(bike.id)"], "\(bike.make) \(bike.model) is no longer shared with you.")
        }
    }
}
