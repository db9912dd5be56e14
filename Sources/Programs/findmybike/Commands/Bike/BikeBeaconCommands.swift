import ArgumentParser
import Beacons
import CommandSupport
import Foundation
import RegistryAPI
import RegistryClient
import Terminal

/// `findmybike bike beacon …`: gives a bike another beacon.
struct BikeBeaconCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacon",
        abstract: "Change a bike’s beacon.",
        subcommands: [Retire.self, Exchange.self]
    )

    struct Retire: RegistryCommand {
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

        func run(at registry: RegistryConnection) async throws {
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

    struct Exchange: OneBikeCommand {
        static let configuration = CommandConfiguration(
            abstract: "Exchange the beacons of two of your bikes.",
            discussion: "  findmybike bike beacon exchange brompton --with triumph"
        )

        @OptionGroup var argument: BikeArgument

        @Option(help: "The other bike: part of make and model, or the beginning of its identifier.")
        var with: String

        @OptionGroup var options: CallOptions

        func run(on bike: Bike, at registry: RegistryConnection) async throws {
            let other = try await BikeArgument.find(with, at: registry)
            let changed = try await registry.changeBeacon(of: bike.id, BeaconChange(exchangedWith: other.id))
            let hasRotating = bike.rotation != nil || other.rotation != nil
            try options.show(
                changed,
                "\(bike.make) \(bike.model) now has \(changed.beaconName), \(other.make) \(other.model) "
                    + "\(bike.beaconName)."
                    + (hasRotating ? " The key file of a rotating beacon goes with it." : "")
            )
        }
    }
}

/// `findmybike bike test`: proves at a station that a beacon is the owner's.
struct BikeTestCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Test whether stations hear a beacon.",
        discussion: """
            Set the beacon to the values that are shown, and take it to a station: stations listen for it for half an hour, \
            and you learn only that one has heard it. For a bike that was registered with --identity or --nearby, this \
            proves that the beacon is yours. With --json nothing is shown before the end: ‘--no-wait --json’ shows the \
            values to set.
              findmybike bike test brompton
            """
    )

    @OptionGroup var argument: BikeArgument

    @Flag(help: "Start the test, and do not wait until a station has heard the beacon.")
    var noWait = false

    @OptionGroup var options: CallOptions

    /// The interval of the requests whether a station has heard the beacon.
    private static let pace = Duration.seconds(3)

    func run(at registry: RegistryConnection) async throws {
        let bike = try await argument.findPending(at: registry)
        // A beacon rests after it was heard in a test.
        if bike.pending == nil, bike.testEnds == nil, let heard = bike.test?.heard, bike.test?.wait(at: .now) != nil {
            return try show(bike, "can be reported missing: a station heard its beacon in a test at \(heard.local).")
        }
        let tested = try await registry.testBeacon(of: bike.id)
        guard let end = tested.testEnds else {
            return try show(
                tested,
                tested.rotation == nil
                    ? "is missing: stations listen for it already."
                    : "has a rotating beacon: run ‘findmybike beacon check’ beside it instead.")
        }
        if !options.json {
            tested.identity.printFields(
                "Set the beacon of \(tested.make) \(tested.model) to these values, and leave them:")
            Output.line("Take it to a station before \(end.local).")
        }
        guard !noWait else {
            return try options.json
                ? Output.json(tested) : Output.line("‘findmybike bike show’ says whether a station has heard it.")
        }
        let proved = try await Progress.during("waiting for a station to hear it; after Ctrl-C the test continues") {
            try await Self.wait(for: tested, at: registry)
        }
        guard let proved else {
            throw CommandFailure(
                .temporaryFailure,
                "no station has heard the beacon. Is it set to these values, and is a station within 30 metres? ‘findmybike "
                    + "bike test’ tries again. For a beacon that cannot be set, or with no station near, write to the "
                    + "registry’s operator and name the bike’s identifier, \(tested.id)")
        }
        guard tested.pending != nil else {
            return try show(proved, "has a beacon that a station has heard.")
        }
        guard proved.identity == tested.identity else {
            try show(proved, "now has another beacon: it was accepted or replaced in the meantime.")
            if !options.json { proved.identity.printFields("Set it to these values, and leave them:") }
            return
        }
        try show(proved, "can be reported missing: a station has heard its beacon.")
    }

    /// Prints the bike.
    ///
    /// - Parameter words: the rest of a sentence that begins with its name.
    private func show(_ bike: Bike, _ words: String) throws {
        try options.show(bike, "\(bike.make) \(bike.model) \(words)")
    }

    /// The bike once a station has heard its beacon; nil if the test ended first.
    private static func wait(for bike: Bike, at registry: RegistryConnection) async throws -> Bike? {
        // A minute more than the test, so that its end is seen. Uses the monotonic clock, since this machine's wall clock
        // may be wrong.
        let deadline = ContinuousClock.now + PendingBeacon.testLength + .seconds(60)
        while ContinuousClock.now < deadline {
            try await Task.sleep(for: pace)
            let now = try await registry.bike(bike.id)
            guard now.testEnds == nil else { continue }
            let isHeard = bike.pending == nil ? now.test?.heard != bike.test?.heard : now.pending == nil
            return isHeard ? now : nil
        }
        return nil
    }
}

extension Bike {
    /// The end of the test that is running; nil if none is.
    fileprivate var testEnds: Timestamp? { pending == nil ? test?.ends : pending?.testEnds }
}
