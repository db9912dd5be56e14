import ArgumentParser
import Beacons
import CommandLines
import RegistryAPI
import RegistryClient

struct BikeBeaconCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacon",
        abstract: "Change a bike’s beacon.",
        subcommands: [Retire.self, Exchange.self]
    )

    struct Retire: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a bike another beacon; the old one’s identity is never used again.",
            discussion: """
                Without --identity the registry allocates one, which you then set in the new beacon.
                  findmybike bike beacon retire brompton
                """
        )

        @OptionGroup var argument: BikeArgument

        @Option(help: ArgumentHelp("The new beacon’s own identity.", valueName: "uuid:major:minor"))
        var identity: BeaconIdentity?

        @OptionGroup var rotation: RotationOptions
        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func validate() throws {
            guard !rotation.rotating || identity == nil else {
                throw ValidationError("A rotating beacon has no identity of its own: leave out --identity.")
            }
        }

        func run() async throws {
            let registry = try options.connect()
            let keyFile = try rotation.checkedFile()
            let bike = try await argument.find(at: registry)
            try confirmation.confirm("Permanently retire \(bike.beaconName) of \(bike.make) \(bike.model)?")
            let changed = try await registry.changeBeacon(
                of: bike.id,
                BeaconChange(identity: identity, rotating: rotation.rotating ? true : nil))
            try rotation.keep(changed, in: keyFile)
            if options.json { return try Output.json(changed) }
            Output.line("\(bike.make) \(bike.model) now has another beacon.")
            changed.printBeaconSteps(keyFile: rotation.keyFile)
        }
    }

    struct Exchange: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Exchange the beacons of two of your bikes.",
            discussion: "  findmybike bike beacon exchange brompton --with triumph"
        )

        @OptionGroup var argument: BikeArgument

        @Option(help: "The other bike: part of make and model, or the beginning of its identifier.")
        var with: String

        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.find(at: registry)
            let other = try await BikeArgument.find(with, at: registry)
            let changed = try await registry.changeBeacon(of: bike.id, BeaconChange(exchangedWith: other.id))
            try options.show(
                changed,
                "\(bike.make) \(bike.model) now has \(changed.beaconName), \(other.make) \(other.model) "
                    + "\(bike.beaconName)."
                    + (bike.rotation ?? other.rotation == nil ? "" : " The key file of a rotating beacon goes with it.")
            )
        }
    }
}
