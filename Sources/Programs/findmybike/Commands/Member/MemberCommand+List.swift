import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient
import Syntax
import Terminal

extension MemberCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List a bike’s members and open invitations.",
            discussion: """
                If you are a member yourself and do not manage the bike, you see only yourself.
                  findmybike member list brompton
                """)

        @OptionGroup var argument: BikeArgument
        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.find(at: registry)
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
            Output.table(
                ["ID", "LABEL", "ROLE", "SINCE"],
                members.map {
                    [short.text("\($0.id)"), $0.label + ($0.current ? " (you)" : ""), $0.role.rawValue, $0.since.local]
                }
                    + invitations.map {
                        [
                            short.text("\($0.id)"), $0.label, $0.role.rawValue,
                            "invited, the link works until \($0.expires.local)",
                        ]
                    },
                tone: { $0.begins(with: "invited") ? .warning : nil })
        }

        /// An invitation as JSON; its one field distinguishes it from a member.
        private struct Open: Encodable {
            let invitation: MemberInvitation
        }
    }
}
