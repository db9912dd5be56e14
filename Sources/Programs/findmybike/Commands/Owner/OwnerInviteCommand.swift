import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct OwnerInviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Invite somebody to become an owner, with the operator’s token.",
        discussion: "  findmybike owner invite --token-file operator-token"
    )

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let invitation = try await registry.inviteOwner()
        Output.secretFollows(
            ifLost: "An invitation was made that works until \(invitation.expires.local), but its code was not "
                + "printed, so nobody has it. Make another.")
        if options.json { return try Output.json(invitation) }
        Output.line("Invitation for one owner, valid until \(invitation.expires.local):")
        Output.line("  findmybike login \(registry.url) --invitation \(invitation.code)")
    }
}
