import ArgumentParser
import Beacons
import CommandSupport
import RegistryAPI
import RegistryClient

struct ClaimCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "claim",
        abstract: "Decide about beacons with their own identities, with the operator’s token.",
        discussion: """
            Owners who register a beacon with its own identity prove it at a station. If the beacon cannot be set to \
            other values, or no station is near, they ask the operator.
            """,
        subcommands: [ClaimListCommand.self, ClaimAcceptCommand.self, ClaimRefuseCommand.self]
    )
}

struct ClaimListCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the beacons that are not proved.",
        discussion: "  findmybike claim list --token-file operator-token"
    )

    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let claims = try await RegistryConnection.all { try await registry.claims(after: $0) }
        try options.output.list(
            claims, none: "No claims are waiting.", ["BIKE", "OWNER", "SINCE", "BEACON", "STATE"]
        ) {
            ["\($0.bike)", "\($0.owner)", $0.since.local, "\($0.claimed)", $0.taken ? "taken" : ""]
        }
    }
}

/// The bike whose beacon an operator reviews.
struct ClaimedBike: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The bike’s identifier or its beginning, from its owner or from ‘findmybike claim list’.",
            valueName: "bike"))
    var bike: String

    @OptionGroup var options: CallOptions

    func find(at registry: RegistryConnection) async throws -> BikeID {
        if let id = BikeID(bike) { return id }
        let claims = try await RegistryConnection.all { try await registry.claims(after: $0) }
        return try Choice(noun: "claim", list: "findmybike claim list", id: { "\($0.bike)" }) { _ in [] }
            .pick(bike, among: claims).bike
    }

}

struct ClaimAcceptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Accept a beacon with its own identity.",
        discussion: """
            The bike’s owner can then make every station search for this beacon. Accept only what you have seen: the \
            beacon in the owner’s hand, and its values in its maker’s app or in ‘findmybike scan’.
              findmybike claim accept 019aa4e1-1c2d-7a3b-8c4d-5e6f70819201 7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:10:4711
            """
    )

    @OptionGroup var bike: ClaimedBike

    @Argument(
        help: ArgumentHelp(
            "The values that you have seen: the owner may have changed the claim.", valueName: "UUID:major:minor"))
    var identity: BeaconIdentity

    func run() async throws {
        let registry = try bike.options.connect()
        let id = try await bike.find(at: registry)
        let claim = try await registry.acceptClaim(ClaimAcceptance(identity: identity), of: id)
        try bike.options.show(
            claim, "\(claim.claimed) is now the beacon of bike \(claim.bike). Its owner gets a message.")
    }
}

struct ClaimRefuseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse",
        abstract: "Refuse a beacon with its own identity; a test at a station can still prove it.",
        discussion: "  findmybike claim refuse 019aa4e1-1c2d-7a3b-8c4d-5e6f70819201 --reason \"The beacon is a shop’s\""
    )

    @OptionGroup var bike: ClaimedBike

    @Option(help: ArgumentHelp("The reason, for the owner, at most 500 characters.", valueName: "text"))
    var reason: String?

    func run() async throws {
        let registry = try bike.options.connect()
        let reason = OperatorReason(reason: reason)
        let id = try await bike.find(at: registry)
        let claim = try await registry.refuseClaim(of: id, reason)
        try bike.options.show(claim, "You refused the beacon of bike \(claim.bike). Its owner gets a message.")
    }
}
