import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient
import Terminal

struct PartnerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "partner",
        abstract: "Partner registries: your stations search for their missing bikes, and theirs for yours.",
        discussion: "These commands need an operator’s token.",
        subcommands: [
            Invite.self, Accept.self, List.self, Show.self, Change.self, Renew.self, Suspend.self, Resume.self,
            Remove.self,
        ]
    )

    struct Invite: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Invite another registry to become a partner.",
            discussion: """
                Give the printed command to the operator of the other registry. Its code works once, within a day.
                  findmybike partner invite Zürich
                """
        )

        @Argument(help: "Your name for the other registry, 1–32 characters. Owners read it in alerts.")
        var name: String

        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let invitation = try await registry.invitePartner(PartnerInvitationDraft(name: name))
            Output.secretFollows(
                ifLost:
                    "An invitation was made, but its code was not printed, so nobody has it. End it with ‘findmybike "
                    + "partner remove \(invitation.id)’, and make another.")
            try options.show(invitation, to: name)
        }
    }

    struct Accept: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Accept another registry’s invitation: from then on, both search for each other’s bikes.",
            discussion: """
                If no response arrives, repeat the command. Then compare the fingerprints of the signing keys with the other
                operator.
                  findmybike partner accept https://registry.example.net 7GQKM-2XPV9-TD4RW-H6ZAC --name Berlin
                """
        )

        @Argument(help: ArgumentHelp("The address of the registry that sent the invitation.", valueName: "url"))
        var url: String

        @Argument(help: "The code of the invitation.")
        var code: String

        @Option(help: "Your name for the other registry, 1–32 characters. Owners read it in alerts.")
        var name: String

        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let partner = try await registry.acceptPartner(
                PartnerAcceptance(url: WebAddress.completed(url), code: code, name: name))
            if options.json { return try Output.json(partner) }
            Output.line(Self.outcome(for: partner))
            for fingerprint in partner.fingerprints { Output.line("Its signing key: \(fingerprint)") }
        }

        /// What a code has changed: new tokens do not end a suspension.
        private static func outcome(for partner: Partner) -> String {
            guard partner.state == .suspended else {
                return "\(partner.name) is a partner: your stations search for its missing bikes, and its stations for "
                    + "yours."
            }
            return "\(partner.name) has new tokens, and is still suspended: ‘findmybike partner resume’ continues the "
                + "exchange."
        }
    }

    struct List: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the partners and the open invitations.", discussion: "  findmybike partner list")

        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let partners = try await registry.allPartners()
            try options.output.list(partners, ["ID", "PARTNER", "STATE", "ITS BIKES", "WAITING", "ITS STATIONS"]) {
                [
                    "\($0.id)", $0.name, $0.stateText, $0.list.map { "\($0.entries)" } ?? "", "\($0.sent.waiting)",
                    "\($0.received.stations)",
                ]
            }
        }
    }

    struct Show: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a partner: its keys, its limits, its list, and the visits that were sent to it.",
            discussion: "  findmybike partner show Zürich")

        @OptionGroup var argument: PartnerArgument
        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let partner = try await registry.partner(try await argument.find(at: registry).id)
            if options.json { return try Output.json(partner) }
            let sent = partner.sent
            let counts =
                "\(sent.stored) stored, \(sent.ignored) ignored, \(sent.refused) refused, \(sent.waiting) waiting"
            Output.details(
                [
                    ("Partner", partner.name), ("Identifier", "\(partner.id)"), ("Address", partner.url),
                    ("State", partner.stateText),
                ])
            Output.details(partner.fingerprints.map { (name: "Signing key", value: $0) })
            Output.details(
                [
                    (
                        "Limits",
                        "\(counted(partner.limits.listed, "hash", "hashes")), \(counted(partner.limits.visits, "visit")) an hour"
                    ),
                    ("Its list", partner.listText), ("Sent", counts), ("Not sent", sent.failure),
                    ("Stations", "\(partner.received.stations) of its stations have heard your bikes"),
                ])
        }
    }
}

extension Partner {
    fileprivate var stateText: String {
        switch state {
        case .invited: "invited, the code works until \(expires?.local ?? "")"
        case .active: "active\(renewalText)"
        case .suspended: "suspended since \(suspended?.local ?? "")\(renewalText)"
        }
    }

    /// What a partner whose token an operator has ended waits for.
    private var renewalText: String {
        guard let renewal else { return "" }
        let code = renewal > .now ? "the code for a new one works until" : "the code for a new one ended"
        return ", without a token: \(code) \(renewal.local)"
    }

    fileprivate var listText: String {
        guard let list else { return "not read yet" }
        let checked = list.checked.map { ", confirmed \($0.local)" } ?? ""
        let failure = list.failure.map { "; not read: \($0)" } ?? ""
        return "\(counted(list.entries, "hash", "hashes"))\(checked)\(failure)"
    }
}
