import ArgumentParser
import Beacons
import CommandLines
import Foundation
import Presence
import RegistryAPI

struct FindCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Search for your bike on foot: hot or cold.",
        discussion: """
            Walk slowly and turn round now and then: your body shields the radio. Press Ctrl-C to stop.
              findmybike find brompton --bell
              findmybike find --identity 21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:20815
            """
    )

    @OptionGroup var argument: BikeArgument

    @Option(help: ArgumentHelp("Search for this beacon instead of a bike of yours.", valueName: "uuid:major:minor"))
    var identity: BeaconIdentity?

    @Flag(help: "Ring the terminal’s bell, faster when nearer.")
    var bell = false

    @Option(help: ArgumentHelp("Stop after this time: 90s, 10m, 2h.", valueName: "duration"))
    var duration: DurationArgument?

    @OptionGroup var listening: ListeningOptions
    @OptionGroup var options: RegistryOptions

    func validate() throws {
        guard identity == nil || argument.bike == nil else {
            throw ValidationError("Name a bike or give --identity, not both.")
        }
    }

    func run() async throws {
        let (name, wanted) = try await target()
        let isWatched = Output.isTerminal
        let source = try await listening.source(isWatched: isWatched)
        try await untilInterrupted { [self] in
            var search = BeaconSearch(wanted)
            var display = SearchDisplay(name: name, isLive: isWatched, rings: bell)
            try await source.listen(for: duration?.duration) { batch in
                search.add(batch)
                display.show(search, at: batch.time, trouble: source.trouble())
            }
            display.finish(search)
        }
        if let trouble = source.trouble() { Output.remark(trouble) }
    }

    /// The beacon to search for; the registry is needed only for a bike.
    private func target() async throws -> (name: String, identity: BeaconIdentity) {
        if let identity { return ("\(identity)", identity) }
        let bike = try await argument.findMissing(at: try options.connect())
        return ("\(bike.make) \(bike.model)", bike.identity)
    }
}
