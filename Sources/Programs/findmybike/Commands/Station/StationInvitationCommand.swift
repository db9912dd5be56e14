import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct StationCancelCommand: AsyncParsableCommand {
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

    func run() async throws {
        let registry = try options.connect()
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
