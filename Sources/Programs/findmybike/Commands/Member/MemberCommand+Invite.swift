import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

extension MemberCommand {
    struct Invite: AsyncParsableCommand {
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

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.find(at: registry)
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

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Cancel an open invitation.",
            discussion: "  findmybike member cancel anna brompton")

        @Argument(
            help: "The invitation’s label, or the beginning of its identifier: ‘findmybike member list’ shows both.")
        var invitation: String

        @OptionGroup var argument: BikeArgument
        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.find(at: registry)
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
