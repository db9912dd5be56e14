import ArgumentParser
import Beacons
import CommandSupport
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

    /// Refuses a capture that is older than a slot of a rotating beacon, because its contents would count as heard now.
    func refuseOldCapture() throws {
        guard let replay, let span = try ReplayScanner(path: replay, pacing: .asFastAsPossible).timeSpan() else {
            return
        }
        let age = Date().timeIntervalSince1970 - Double(span.lowerBound.nanoseconds) / 1e9
        guard abs(age) > Double(RotatingSlot.seconds) else { return }
        throw CommandFailure(
            .dataError, "\(replay) was not recorded just now: leave out --replay, so that the beacon is heard now")
    }

    /// Opens the source. Of a scenario with rotating beacons, the time is moved to the present.
    ///
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
            let scenario = try Scenario(path: simulate)
            guard scenario.beacons.contains(where: { $0.rotation != nil }) else {
                return ListeningSource(
                    scanner: SimulatedScanner(scenario, pacing: pacing), unixTime: \.nanoseconds)
            }
            // The identities of a rotating beacon depend on the time, and are known only for the present.
            let now = Int64(Date().timeIntervalSince1970)
            let shift = now &* 1_000_000_000 &- scenario.start.nanoseconds
            return ListeningSource(
                scanner: SimulatedScanner(scenario.dated(now), pacing: pacing), unixTime: { $0.nanoseconds &+ shift })
        }
        return try await Radio.open(backend ?? .bluez, adapter: adapter)
    }
}
