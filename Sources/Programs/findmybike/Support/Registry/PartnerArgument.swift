import ArgumentParser
import RegistryAPI
import RegistryClient

/// The partner that a command is about.
struct PartnerArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Part of the partner’s name, or the beginning of its identifier: see ‘findmybike partner list’.",
            valueName: "partner"))
    var partner: String

    func find(at registry: RegistryConnection) async throws -> Partner {
        try pick(among: try await registry.allPartners())
    }

    func pick(among partners: [Partner]) throws -> Partner {
        try Choice(noun: "partner", list: "findmybike partner list", id: { "\($0.id)" }) { [$0.name] }
            .pick(partner, among: partners)
    }
}

extension RegistryConnection {
    /// All partners and open invitations.
    func allPartners() async throws -> [Partner] {
        try await RegistryConnection.all { try await self.partners(after: $0) }
    }
}
