import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient
import Syntax

struct StationInviteCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Make a code with which a machine enrols itself as a station.",
        discussion: """
            With the operator’s token. Give the printed command to the person who sets up the machine; it works once.
              findmybike station invite --name "Café Sprocket" --latitude 51.5007 --longitude -0.1246
            """
    )

    @OptionGroup var place: InvitationOptions
    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let namesakes = try await registry.allPendingInvitations().filter { $0.name == place.name }
        let invitation = try await place.invite(at: registry)
        if !namesakes.isEmpty {
            Output.remark(
                "an earlier invitation has the same name, and its code works too: see ‘findmybike station cancel’")
        }
        Output.secretFollows(
            ifLost: "An invitation was made, but its code was not printed, so nobody has it. End it with ‘findmybike "
                + "station cancel \(invitation.id)’, and make another.")
        if options.json { return try Output.json(invitation) }
        Output.line("Type on the machine at \(place.name), before \(invitation.expires.local):")
        Output.line("  sudo findmybike-monitor enrol \(registry.url) \(invitation.code)")
        // Plain http is allowed for this machine only.
        guard registry.url.begins(with: "http:") else { return }
        Output.remark("no other machine can reach \(registry.url): use the registry’s external address instead")
    }
}

/// The details of a future station.
struct InvitationOptions: ParsableArguments {
    @Option(help: "Its name in alerts, 1–64 characters.")
    var name: String

    @Option(help: "The venue; by default the station’s name. Stations of one venue do not corroborate each other.")
    var venue: String?

    @Flag(help: "The station moves and reports its own position.")
    var mobile = false

    @OptionGroup var location: StationPlace

    func invite(at registry: RegistryConnection) async throws -> Invitation {
        let draft = InvitationDraft(name: name, venue: venue, mobile: mobile ? true : nil, place: location.place)
        return try await registry.invite(draft)
    }
}

struct StationCancelCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel an invitation that no machine has accepted: its code stops working.",
        discussion: """
            ‘findmybike station list’ shows these invitations.
              findmybike station cancel "Café Sprocket"
            """
    )

    @Argument(
        help: ArgumentHelp("Part of the station’s name, or the beginning of the identifier.", valueName: "invitation"))
    var invitation: String

    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let pending = try await registry.allPendingInvitations()
        let choice = Choice<PendingInvitation>(
            noun: "invitation", list: "findmybike station list", id: { "\($0.id)" }, names: { [$0.name] })
        let meant = try choice.pick(invitation, among: pending)
        try await registry.cancelInvitation(meant.id)
        try options.show(
            ["cancelled": "\(meant.id)"], "The invitation of \(meant.name) was cancelled: its code no longer works.")
    }
}

extension RegistryConnection {
    func allPendingInvitations() async throws -> [PendingInvitation] {
        try await RegistryConnection.all { try await self.pendingInvitations(after: $0) }
    }
}
