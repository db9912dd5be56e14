import ArgumentParser
import CommandSupport
import Evidence
import HTTPClient
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
            Output.line(
                "\(partner.name) is a partner: your stations search for its missing bikes, and its stations for yours.")
            for fingerprint in partner.fingerprints { Output.line("Its signing key: \(fingerprint)") }
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

    struct Change: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Rename a partner, change its limits, or accept its new signing key.",
            discussion: """
                When the partner has replaced its signing key, its operator tells you the fingerprint of the new one.
                  findmybike partner change Zürich --listed 50000 --visits 2000
                """
        )

        @OptionGroup var argument: PartnerArgument

        @Option(help: "Your new name for it.")
        var name: String?

        @Option(help: "The most hashes that its missing list may have.")
        var listed: Int?

        @Option(help: "The most visits that it may send in an hour.")
        var visits: Int?

        @Option(
            help: ArgumentHelp(
                "Accept the signing key with this fingerprint, which the partner’s registry publishes.",
                valueName: "fingerprint"))
        var key: String?

        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let partner = try await argument.find(at: registry)
            var patch = PartnerPatch(name: name)
            if listed != nil || visits != nil {
                patch.limits = PartnerLimits(
                    listed: listed ?? partner.limits.listed, visits: visits ?? partner.limits.visits)
            }
            if let key { patch.publicKey = try await publishedKey(key, of: partner) }
            guard patch != PartnerPatch() else {
                throw CommandFailure(.usage, "nothing to change: add --name, --listed, --visits or --key")
            }
            let changed = try await registry.changePartner(partner.id, patch)
            try options.show(changed, "\(changed.name) was changed.")
        }

        /// The key with a fingerprint, as the partner's registry publishes it.
        private func publishedKey(_ fingerprint: String, of partner: Partner) async throws -> String {
            try partner.requireAcceptance()
            let wanted = HashValue(typed: fingerprint).map { "\($0)" }
            let keys = try await RegistryConnection(
                url: partner.url ?? "", token: nil, http: HTTPConnection()
            ).keys().keys
            guard let key = keys.first(where: { $0.fingerprint == wanted }) else {
                throw CommandFailure(
                    .dataError,
                    "\(partner.url ?? partner.name) does not publish a key with this fingerprint: ask its operator again"
                )
            }
            return key.publicKey
        }
    }

    struct Suspend: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Immediately stop all exchange with a partner, until you resume it.",
            discussion: """
                Visits that already wait for it are kept for up to 30 days, and sent when you resume it. Meanwhile,
                your stations do not search for its bikes.
                  findmybike partner suspend Zürich --quarantine-since "yesterday 18:00"
                """
        )

        @OptionGroup var argument: PartnerArgument
        @OptionGroup var quarantine: QuarantineOptions
        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let partner = try await argument.find(at: registry)
            try partner.requireAcceptance()
            let changed = try await registry.changePartner(
                partner.id, PartnerPatch(suspended: true), quarantineSince: quarantine.quarantineSince)
            try options.show(changed, "\(partner.name) is suspended.")
        }
    }

    struct Resume: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Continue the exchange with a suspended partner.",
            discussion: "  findmybike partner resume Zürich")

        @OptionGroup var argument: PartnerArgument
        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let partner = try await argument.find(at: registry)
            try partner.requireAcceptance()
            let changed = try await registry.changePartner(partner.id, PartnerPatch(suspended: false))
            try options.show(changed, "\(partner.name) is a partner again.")
        }
    }

    struct Remove: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "End a partnership, or cancel an invitation.",
            discussion: """
                Visits that wait for the partner are deleted. Sightings of its stations stay. Its operator has to remove your
                registry, too.
                  findmybike partner remove Zürich
                """
        )

        @OptionGroup var argument: PartnerArgument
        @OptionGroup var quarantine: QuarantineOptions
        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let partner = try await argument.find(at: registry)
            let isInvited = partner.state == .invited
            try confirmation.confirm(
                isInvited
                    ? "Cancel the invitation to \(partner.name) (\(partner.id))?"
                    : "End the partnership with \(partner.name) (\(partner.id))?")
            try await registry.removePartner(partner.id, quarantineSince: quarantine.quarantineSince)
            try options.show(
                ["removed": "\(partner.id)"],
                isInvited
                    ? "The invitation to \(partner.name) is cancelled." : "\(partner.name) is no longer a partner.")
        }
    }
}

/// The time since which a partner's sightings are disputed.
struct QuarantineOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Also dispute everything that its stations have reported since then.", valueName: "time"))
    var quarantineSince: Timestamp?
}

/// The partner that a command is about.
struct PartnerArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Part of the partner’s name, or the beginning of its identifier: see ‘findmybike partner list’.",
            valueName: "partner"))
    var partner: String

    func find(at registry: RegistryConnection) async throws -> Partner {
        try Choice(noun: "partner", list: "findmybike partner list", id: { "\($0.id)" }) { [$0.name] }
            .pick(partner, among: try await registry.allPartners())
    }
}

extension RegistryConnection {
    /// All partners and open invitations.
    func allPartners() async throws -> [Partner] {
        try await RegistryConnection.all { try await self.partners(after: $0) }
    }
}

extension Partner {
    /// - Throws: `CommandFailure` for an invitation that the other registry has not accepted yet.
    func requireAcceptance() throws {
        guard state == .invited else { return }
        throw CommandFailure(
            .dataError,
            "\(name) has not accepted the invitation yet: ‘findmybike partner remove \(id)’ cancels the invitation")
    }

    fileprivate var stateText: String {
        switch state {
        case .invited: "invited, the code works until \(expires?.local ?? "")"
        case .active: "active"
        case .suspended: "suspended since \(suspended?.local ?? "")"
        }
    }

    fileprivate var listText: String {
        guard let list else { return "not read yet" }
        let checked = list.checked.map { ", confirmed \($0.local)" } ?? ""
        let failure = list.failure.map { "; not read: \($0)" } ?? ""
        return "\(counted(list.entries, "hash", "hashes"))\(checked)\(failure)"
    }
}
