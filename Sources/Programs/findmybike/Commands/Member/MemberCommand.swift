import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

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
