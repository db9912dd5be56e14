import ArgumentParser
import Beacons
import BlueZ
import CommandSupport
import Foundation
import Monitor
import MonitorConfiguration
import Radios
import RegistryAPI
import Scanning
import Settings
import Simulation
import Syntax

/// The source that the monitor listens to: the radios in its settings, unless a capture or scenario is played.
struct SourceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Play a btsnoop capture instead of listening to a radio.", valueName: "file"))
    var replay: String?

    @Option(help: ArgumentHelp("Play a scenario instead of listening to a radio.", valueName: "file"))
    var simulate: String?

    @Option(
        help: ArgumentHelp("N times as fast as recorded, or ‘max’; by default 1.", valueName: "n"))
    var speed: Pacing?

    /// The format of the results of a simulation.
    enum Summary: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    // Not called --json, because the subcommands have their own option of this name.
    @Option(help: ArgumentHelp("How to print the result of --simulate.", valueName: "form"))
    var summary = Summary.text

    /// The same choice for the function that prints the result.
    var output: OutputOptions {
        var output = OutputOptions()
        output.json = summary == .json
        return output
    }

    func validate() throws {
        guard replay == nil || simulate == nil else {
            throw ValidationError("Use either --replay or --simulate.")
        }
        guard speed == nil || replay != nil || simulate != nil else {
            throw ValidationError("--speed works only with --replay or --simulate: add one of them.")
        }
    }

    /// The capture or scenario, with the wall time of its time line; nil for radios. It ends now, so that no visit is
    /// in the future.
    func playback() throws(CommandFailure) -> Playback? {
        do {
            if let replay {
                let scanner = ReplayScanner(path: replay, pacing: pacing)
                guard let span = try scanner.timeSpan() else {
                    throw CommandFailure(.dataError, "\(replay) contains no records")
                }
                return Playback(scanner: scanner, timeline: timeline(of: span))
            }
            guard let simulate else { return nil }
            var scenario = try Scenario(path: simulate)
            guard scenario.network.isEmpty || pacing != .asFastAsPossible else {
                throw CommandFailure(
                    .usage, "\(simulate) simulates a bad network, which takes time: give --speed 20, not max")
            }
            let timeline = timeline(of: scenario.timeSpan)
            // The registry lists the current identities of rotating beacons, so the scenario must end now.
            let begun = timeline.timestamp(of: scenario.start).milliseconds / 1000
            scenario = scenario.dated(begun)
            return Playback(
                scanner: SimulatedScanner(scenario, pacing: pacing), timeline: timeline,
                simulation: SimulationRun(scenario, pacing: pacing, timeline: timeline))
        } catch let failure as CommandFailure {
            throw failure
        } catch let error as ScenarioError {
            throw CommandFailure(error.isUnreadable ? .noInput : .dataError, "\(error)")
        } catch let error as CaptureError {
            if case .format = error.reason { throw CommandFailure(.dataError, "\(error)") }
            throw CommandFailure(.noInput, "\(error)")
        } catch {
            throw CommandFailure(.noInput, "\(error)")
        }
    }

    /// The time line of something that is played and ends when it has been played from now on.
    private func timeline(of span: ClosedRange<ScanInstant>) -> WallTimeline {
        let length = span.lowerBound.duration(to: span.upperBound)
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        return WallTimeline(span.upperBound, at: now.advanced(by: pacing.realDuration(of: length)))
    }

    private var pacing: Pacing { speed ?? .recorded }
}

/// A scanner and the wall time of its time line.
struct Playback {
    let scanner: any Scanning.Scanner
    /// The wall time; nil if the time line is the boot clock.
    var timeline: WallTimeline?
    /// The run of a scenario; nil for other sources.
    var simulation: SimulationRun?
    /// The radios for the watchdog; nil for a capture or a scenario.
    var radios: RadioSet?
    /// Adds radios that are plugged in later.
    var arrivals: AdapterArrivals?
}

extension Playback {
    /// The radios in the settings. Fails immediately if there are none; later failures are handled by the scanners and
    /// the watchdog.
    init(radiosOf settings: ProgramSettings) async throws(CommandFailure) {
        let receivers = try ReceiverSettings(settings).scanners
        guard settings.value(MonitorSettings.radioBackend) != MonitorSettings.receiversOnly else {
            let radios = RadioSet(receivers)
            self.init(scanner: MergedScanner(radios), radios: radios)
            return
        }
        let backend = RadioBackend(rawValue: settings.value(MonitorSettings.radioBackend)) ?? .bluez
        let adapters = (settings.value(MonitorSettings.radioAdapters) ?? "").split(at: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        var options = BlueZOptions()
        options.powersAdapter = settings.value(MonitorSettings.radioPower)
        do {
            let choice = RadioChoice(backend, adapters: adapters, bluez: options)
            let (radios, arrivals) = try await choice.radios(and: receivers)
            self.init(scanner: MergedScanner(radios), radios: radios, arrivals: arrivals)
        } catch {
            let hint = receivers.isEmpty ? "" : "; to listen only with the receivers, set radio.backend: none"
            throw CommandFailure(.unavailable, "\(error); ‘findmybike doctor’ shows more\(hint)")
        }
    }
}
