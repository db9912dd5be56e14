import ArgumentParser
import Beacons
import CommandLines
import Presence
import RegistryAPI
import RegistryClient

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
        let heard = Self.identities(survey)
        guard !heard.isEmpty else {
            throw CommandFailure(.unavailable, "no beacon was heard: go nearer, and check the battery")
        }
        let checked = try await registry.checkBeacon(of: bike.id, BeaconCheck(identities: heard))
        try options.show(checked, Self.text(checked))
    }

    /// The strongest iBeacons, as many as the registry takes.
    private static func identities(_ survey: BeaconSurvey) -> [BeaconIdentity] {
        var filter = SurveyFilter()
        filter.kinds = [.iBeacon]
        var seen: Set<BeaconIdentity> = []
        let strongest = survey.strongest(filter).compactMap { frame, _ -> BeaconIdentity? in
            guard case .iBeacon(let beacon) = frame, seen.insert(beacon.identity).inserted else { return nil }
            return beacon.identity
        }
        return Array(strongest.prefix(BeaconCheck.mostIdentities))
    }

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
