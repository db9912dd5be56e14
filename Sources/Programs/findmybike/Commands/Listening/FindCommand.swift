import ArgumentParser
import Beacons
import CommandSupport
import Foundation
import Presence
import RegistryAPI

/// `findmybike find`: shows how near one beacon is, for a search on foot.
struct FindCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Search for your bike on foot: hot or cold.",
        discussion: """
            Walk slowly and turn round now and then: your body shields the radio. Press Ctrl-C to stop.
              findmybike find brompton --bell
              findmybike find --identity 21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:20815
            A rotating beacon needs --key-file.
              findmybike find brompton --key-file bike.key
            """
    )

    @OptionGroup var argument: BikeArgument

    @Option(help: ArgumentHelp("Search for this beacon instead of a bike of yours.", valueName: "uuid:major:minor"))
    var identity: BeaconIdentity?

    @Option(
        help: ArgumentHelp(
            "The file with the rotating beacon’s key, from when you registered the bike; - for standard input.",
            valueName: "file"))
    var keyFile: String?

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
        guard identity == nil || keyFile == nil else {
            throw ValidationError("A rotating beacon has no fixed identity: leave out --identity or --key-file.")
        }
    }

    func run() async throws {
        if keyFile != nil { try listening.refuseOldCapture() }
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
    private func target() async throws -> (name: String, identities: Set<BeaconIdentity>) {
        if let identity { return ("\(identity)", [identity]) }
        let key = try keyFile.map { try BeaconKeyFile(path: $0).read() }
        if let key, argument.bike == nil { return ("the beacon", try Self.identities(key, lag: 0)) }
        let bike = try await argument.findMissing(at: try options.connect())
        let name = "\(bike.make) \(bike.model)"
        guard let rotation = bike.rotation else {
            if key != nil { Output.remark("\(name) has no rotating beacon: --key-file is not used") }
            return (name, [bike.identity])
        }
        guard let key else {
            throw CommandFailure(
                .usage, "\(name) has a rotating beacon: add --key-file with the key that you got when you registered it"
            )
        }
        return (name, try Self.identities(key, lag: rotation.lag))
    }

    /// Every identity of the beacon that the missing list may contain, since its clock may be wrong: those from a week
    /// ago to 30 hours ahead.
    private static func identities(_ key: RotatingBeaconKey, lag: Int64) throws -> Set<BeaconIdentity> {
        let now = Int64(Date().timeIntervalSince1970)
        guard let present = RotatingSlot(unixSeconds: now - lag * Int64(RotatingSlot.seconds)) else {
            throw CommandFailure(.configuration, "this computer’s clock is wrong: set it, and try again")
        }
        // In slots of 1,024 seconds: 590 are a week, and 105 are 30 hours.
        return Set(key.identities(in: present.advanced(by: -590)...present.advanced(by: 105)))
    }
}
