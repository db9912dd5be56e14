import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient
import Terminal

extension PartnerCommand {
    struct Renew: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "End a partner’s token, and let its registry get a new one by a code.",
            discussion: """
                Use it if the token was stolen, after a backup of one of the two registries was restored, or if the partner
                has a new address. Give the printed command to the partner’s operator. Its code works once, within a day;
                until then, the partner has no access. Both registries keep the names and limits that they have.
                  findmybike partner renew Zürich
                """
        )

        @OptionGroup var argument: PartnerArgument
        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let partner = try await argument.find(at: registry)
            try partner.requireAcceptance()
            let invitation = try await registry.renewPartner(partner.id)
            Output.secretFollows(
                ifLost: "The token of \(partner.name) has ended, but the code was not printed: repeat the command.")
            try options.show(invitation, to: partner.name)
        }
    }
}

extension CallOptions {
    /// Shows what the operator of another registry types.
    func show(_ invitation: PartnerInvitation, to name: String) throws {
        if json { return try Output.json(invitation) }
        Output.line("The operator of \(name) types, before \(invitation.expires.local):")
        Output.line("  findmybike partner accept \(invitation.url) \(invitation.code) --name NAME-FOR-US")
    }
}
