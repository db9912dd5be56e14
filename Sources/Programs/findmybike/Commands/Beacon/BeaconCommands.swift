import ArgumentParser
import Beacons
import CommandSupport
import Presence
import RegistryAPI
import RegistryClient

struct BeaconCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacon",
        abstract: "Send a test signal, set up and check rotating beacons, stop and allow searches.",
        subcommands: [
            BeaconAdvertiseCommand.self, BeaconProvisionCommand.self, BeaconCheckCommand.self, BeaconStopCommand.self,
            BeaconAllowCommand.self,
        ]
    )
}

struct BeaconCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the clock of a bike’s rotating beacon.",
        discussion: """
            Stand beside the bike. The registry finds the beacon among what this machine hears, and notes how late its \
            clock is. Do this after the first setup, after each time without power (as with a new battery), and twice \
            a year. Stations do not recognise a beacon whose clock is more than a day late, or more than 30 hours ahead; \
            after half a year without a check, more than a week late.
              findmybike beacon check brompton
            """
    )

    @OptionGroup var argument: BikeArgument
    @OptionGroup var listening: ListeningOptions
    @OptionGroup var options: CallOptions

    func run() async throws {
        try listening.refuseOldCapture()
        let registry = try options.connect()
        let bike = try await argument.find(at: registry)
        guard bike.rotation != nil else {
            throw CommandFailure(
                .dataError, "\(bike.make) \(bike.model) has a beacon with a fixed identity, which has no clock to check"
            )
        }
        let source = try await listening.source(isWatched: false)
        Output.remark("listening for ten seconds: stand beside the bike")
        let survey = try await untilInterrupted {
            var survey = BeaconSurvey()
            try await source.listen(for: .seconds(10)) { survey.add($0) }
            return survey
        }
        if let trouble = source.trouble() { Output.remark(trouble) }
        let heard = Self.strongestIdentities(survey)
        guard !heard.isEmpty else {
            throw CommandFailure(.unavailable, "no beacon was heard: go nearer, and check the battery")
        }
        let checked = try await registry.checkBeacon(of: bike.id, BeaconCheck(identities: heard))
        try options.show(checked, Self.text(checked))
    }

    /// The strongest iBeacons, as many as the registry takes.
    private static func strongestIdentities(_ survey: BeaconSurvey) -> [BeaconIdentity] {
        var filter = SurveyFilter()
        filter.kinds = [.iBeacon]
        var seen: Set<BeaconIdentity> = []
        let strongest = survey.strongest(filter).compactMap { frame, _ -> BeaconIdentity? in
            guard case .iBeacon(let beacon) = frame, seen.insert(beacon.identity).inserted else { return nil }
            return beacon.identity
        }
        return Array(strongest.prefix(BeaconCheck.mostIdentities))
    }

    /// How late or early the beacon's clock is, rounded to minutes, hours or days.
    private static func text(_ bike: Bike) -> String {
        let name = "\(bike.make) \(bike.model)"
        guard let lag = bike.rotation?.lag, abs(lag) > 1 else { return "The clock of the beacon of \(name) is right." }
        let minutes = abs(lag) * Int64(RotatingSlot.seconds) / 60
        let time =
            switch minutes {
            case ..<120: "\(minutes) minutes"
            case ..<2880: "\((minutes + 30) / 60) hours"
            default: "\((minutes + 720) / 1440) days"
            }
        return "The clock of the beacon of \(name) is about \(time) \(lag > 0 ? "late" : "ahead"). "
            + "The registry now allows for that."
    }
}

struct BeaconStopCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Keep a beacon off the missing list, with the operator’s token.",
        discussion: """
            The bike’s owner gets a message on all channels, with the reason, and can object once. For a rotating beacon of a missing bike, \
            give any identity that was heard from it.
              findmybike beacon stop 21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:4711 --reason "Planted on somebody"
            """
    )

    @Argument(help: ArgumentHelp("The beacon’s identity.", valueName: "UUID:major:minor"))
    var identity: BeaconIdentity

    @Option(help: ArgumentHelp("The reason, for the owner, at most 500 characters.", valueName: "text"))
    var reason: String

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        try confirmation.confirm("Stop all searches for this beacon?")
        let review = try await registry.stopSearch(for: identity, StopReason(reason: reason))
        try options.show(review, "No station searches for \(identity) until ‘findmybike beacon allow’.")
    }
}

struct BeaconAllowCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: "Allow searches for a beacon again, with the operator’s token.",
        discussion: "  findmybike beacon allow 21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:4711"
    )

    @Argument(help: ArgumentHelp("The beacon’s identity.", valueName: "UUID:major:minor"))
    var identity: BeaconIdentity

    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let review = try await registry.allowSearch(for: identity)
        try options.show(review, "Stations search for \(identity) again when its bike is missing.")
    }
}

/// `findmybike found`: the message of somebody who hears a stranger's beacon.
struct FoundCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "found",
        abstract: "Tell the owner of a beacon that you hear it. You need no account.",
        discussion: """
            ‘findmybike scan’ shows the beacons nearby. If it changes its identity, give the present one: the registry \
            knows it while the bike is missing. You learn nothing about the owner, who decides whether to contact you.
              findmybike found 21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:20815 --message "behind the station"
            """
    )

    @Argument(help: ArgumentHelp("The beacon’s identity.", valueName: "uuid:major:minor"))
    var identity: BeaconIdentity

    @Option(help: "A message to the owner, at most 500 characters.")
    var message: String?

    @Option(help: "How the owner can contact you, at most 128 characters.")
    var contact: String?

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.registry.connectWithoutToken()
        let find = Find(identity: identity, message: message, contact: contact)
        try await registry.tell(find)
        try options.show(["told": "\(identity)"], "If this beacon has an owner, they get a message.")
    }
}
