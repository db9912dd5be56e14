import ArgumentParser
import Beacons
import CommandSupport
import Presence
import RegistryAPI
import RegistryClient

/// `findmybike bike register`: registers a bike with a beacon.
struct BikeRegisterCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Register a bike and its beacon.",
        discussion: """
            Without --identity the registry allocates one, which you then set in the beacon.
              findmybike bike register --kind motorbike --make Triumph --model "Street Twin" --colour black --colour red
            --nearby lists the beacons nearby, and you choose the one on the bike. After --nearby or --identity, you \
            have to prove that the beacon is yours: ‘findmybike bike test’.
              findmybike bike register --nearby --kind bicycle --make Brompton --model "C Line" --colour green
            With --rotating the registry makes a key for a beacon that changes its identity every 17 minutes. It is shown \
            only once:
              findmybike bike register --rotating --key-file bike.key --kind bicycle --make Brompton --model "C Line" \
            --colour green
            """
    )

    @Option(help: "motorbike, scooter, bicycle or other.")
    var kind: BikeKind

    @Option(help: "Its maker, 1–64 characters.")
    var make: String

    @Option(help: "Its model, 1–64 characters.")
    var model: String

    @Option(
        name: [.customLong("colour"), .customLong("color")],
        help: ArgumentHelp(
            "Up to three, the main one first: \(BikeColour.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "colour"
        )
    )
    var colours: [BikeColour]

    @Option(help: "Year of manufacture.")
    var year: Int?

    @Option(help: "Frame or serial number; only you and members see it.")
    var serial: String?

    @Option(help: "Vehicle identification number; only you and members see it.")
    var vin: String?

    @Option(help: "Engine number; only you and members see it.")
    var engineNumber: String?

    @Option(help: "Licence plate; only you and members see it.")
    var plate: String?

    @Flag(help: "Let anyone who knows the serial number or the VIN check while the bike is missing that it is.")
    var buyerCheck = false

    @Option(help: "Notes; only you and members see them.")
    var notes: String?

    @Option(
        help: ArgumentHelp(
            "The beacon’s own identity, if the registry allows it; ‘bike test’ proves that it is yours.",
            valueName: "uuid:major:minor"
        )
    )
    var identity: BeaconIdentity?

    @Flag(help: "Listen for ten seconds, and choose from the closest beacons.")
    var nearby = false

    @OptionGroup var rotation: RotationOptions
    @OptionGroup var listening: ListeningOptions
    @OptionGroup var options: CallOptions

    func validate() throws {
        guard !nearby || identity == nil else { throw ValidationError("Use either --nearby or --identity.") }
        guard !rotation.rotating || (identity == nil && !nearby) else {
            throw ValidationError("A rotating beacon has no identity of its own: leave out --identity and --nearby.")
        }
        guard nearby || !listening.isGiven else { throw ValidationError("Only --nearby listens: add it.") }
    }

    func run(at registry: RegistryConnection) async throws {
        let keyFile = try rotation.checkedFile()
        let identity = nearby ? try await pickNearby() : identity
        let draft = BikeDraft(
            kind: kind, make: make, model: model, colours: colours, year: year, serial: serial, vin: vin,
            engineNumber: engineNumber, plate: plate, buyerCheck: buyerCheck ? true : nil, notes: notes,
            identity: identity, rotating: rotation.rotating ? true : nil
        )
        let bike = try await registry.registerBike(draft)
        try rotation.keep(bike, in: keyFile)
        if options.json { return try Output.json(bike) }
        Output.line("Registered \(bike.make) \(bike.model) as \(bike.id).")
        bike.printBeaconSteps(keyFile: rotation.keyFile)
    }

    /// Listens for ten seconds, and asks which beacon is on the bike.
    private func pickNearby() async throws -> BeaconIdentity {
        let source = try await listening.source(isWatched: false)
        Output.remark("listening for ten seconds: hold the beacon close")
        let survey = try await untilInterrupted {
            var survey = BeaconSurvey()
            try await source.listen(for: .seconds(10)) { survey.add($0) }
            return survey
        }
        if let trouble = source.trouble() { Output.remark(trouble) }
        return try NearbyBeacons(survey).pick()
    }
}
