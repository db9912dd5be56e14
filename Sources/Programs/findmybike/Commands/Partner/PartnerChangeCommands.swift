import ArgumentParser
import CommandSupport
import Evidence
import HTTPClient
import RegistryAPI
import RegistryClient

// What becomes of a partnership.
extension PartnerCommand {
    struct Change: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Rename a partner, change its limits, or accept its new signing key.",
            discussion: """
                When the partner has replaced its signing key, its operator tells you the fingerprint of the new one.
                  findmybike partner change Zürich --key FINGERPRINT
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
            guard let wanted = HashValue(typed: fingerprint) else {
                throw CommandFailure(.usage, "‘\(fingerprint)’ is not a fingerprint: write its 64 hexadecimal digits")
            }
            let keys = try await RegistryConnection(
                url: partner.url ?? "", token: nil, http: HTTPConnection()
            ).keys().keys
            guard let key = keys.first(where: { $0.fingerprint == "\(wanted)" }) else {
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
                registry, too. To dispute the sightings of a partner that you have removed, type its whole identifier, which
                the audit shows.
                  findmybike partner remove Zürich
                """
        )

        @OptionGroup var argument: PartnerArgument
        @OptionGroup var quarantine: QuarantineOptions
        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let partners = try await registry.allPartners()
            if let id = PartnerID(argument.partner), let since = quarantine.quarantineSince,
                !partners.contains(where: { $0.id == id })
            {
                try await registry.removePartner(id, quarantineSince: since)
                return try options.show(["removed": "\(id)"], "The sightings of this partner are disputed.")
            }
            let partner = try argument.pick(among: partners)
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

    func validate() throws { try quarantineSince?.requirePast("--quarantine-since") }
}

extension Partner {
    /// - Throws: `CommandFailure` for an invitation that the other registry has not accepted yet.
    func requireAcceptance() throws {
        guard state == .invited else { return }
        throw CommandFailure(
            .dataError,
            "\(name) has not accepted the invitation yet: ‘findmybike partner remove \(id)’ cancels the invitation")
    }
}
