import ArgumentParser
import Beacons
import Foundation
import Radios
import Scanning
import Simulation

/// The source to listen to: an adapter of this machine, unless a capture or a scenario is given.
struct ListeningOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Listen with this adapter; by default the first.", valueName: "hci0"))
    var adapter: String?

    @Option(help: "bluez, through bluetoothd; hci, a raw socket; monitor-channel, what other programs receive.")
    var backend: RadioBackend?

    @Option(help: ArgumentHelp("Play a btsnoop capture instead of listening.", valueName: "file"))
    var replay: String?

    @Option(help: ArgumentHelp("Play a scenario instead of listening.", valueName: "file"))
    var simulate: String?

    @Option(
        help: ArgumentHelp(
            "N times as fast as recorded, or ‘max’. By default 1 on a terminal, otherwise ‘max’.",
            valueName: "n"
        )
    )
    var speed: Pacing?

    func validate() throws {
        let isPlayed = replay != nil || simulate != nil
        guard replay == nil || simulate == nil else {
            throw ValidationError("Use either --replay or --simulate.")
        }
        guard !isPlayed || (adapter == nil && backend == nil) else {
            throw ValidationError("--adapter and --backend are for radios: leave out --replay and --simulate.")
        }
        guard isPlayed || speed == nil else {
            throw ValidationError("--speed works only with --replay or --simulate: add one of them.")
        }
    }

    /// Whether any option selects a source.
    var isGiven: Bool {
        adapter != nil || backend != nil || replay != nil || simulate != nil || speed != nil
    }

    /// - Parameter isWatched: whether a person is watching on a terminal.
    func source(isWatched: Bool) async throws -> ListeningSource {
        let pacing = speed ?? (isWatched ? .recorded : .asFastAsPossible)
        // A capture or simulation uses the time line of the Unix epoch.
        if let replay {
            let scanner = ReplayScanner(path: replay, pacing: pacing)
            return ListeningSource(scanner: scanner, unixTime: \.nanoseconds) {
                scanner.summary?.truncation.map { "\(replay): \($0)" }
            }
        }
        if let simulate {
            let scanner = SimulatedScanner(try Scenario(path: simulate), pacing: pacing)
            return ListeningSource(scanner: scanner, unixTime: \.nanoseconds)
        }
        return try await Radio.open(backend ?? .bluez, adapter: adapter)
    }
}
