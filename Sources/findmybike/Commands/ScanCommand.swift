import ArgumentParser
import Beacons
import Foundation
import Presence
import RegistryAPI
import Scanning
import Simulation

struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Show the beacons in a capture or a scenario.",
        discussion: """
            On a terminal a table follows what is heard; --json prints one object per beacon at the end.
              findmybike scan --replay garage.btsnoop --speed max
            """
    )

    @Option(help: ArgumentHelp("Play a btsnoop capture.", valueName: "file"))
    var replay: String?

    @Option(help: ArgumentHelp("Play a scenario.", valueName: "file"))
    var simulate: String?

    @Option(
        help: ArgumentHelp(
            "N times as fast as recorded, or ‘max’. On a terminal as recorded, otherwise as fast as possible.",
            valueName: "n"
        )
    )
    var speed: Pacing?

    @Option(help: ArgumentHelp("Also write what is heard to a btsnoop capture.", valueName: "file"))
    var capture: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (replay == nil) != (simulate == nil) else {
            throw ValidationError("Choose what to scan: --replay FILE or --simulate FILE.")
        }
    }

    func run() async throws {
        let isLive = !output.json && isatty(STDOUT_FILENO) == 1
        let pacing = speed ?? (isLive ? .recorded : .asFastAsPossible)
        var survey = BeaconSurvey()
        if let replay {
            let scanner = ReplayScanner(path: replay, pacing: pacing)
            try await listen(to: scanner, &survey, isLive: isLive)
            if let truncation = scanner.summary?.truncation {
                FileHandle.standardError.write(Data("findmybike: \(replay): \(truncation)\n".utf8))
            }
        } else {
            let scanner = SimulatedScanner(try Scenario(path: simulate ?? ""), pacing: pacing)
            try await listen(to: scanner, &survey, isLive: isLive)
        }
        if output.json { try SurveyReport(survey).print() }
    }

    private func listen(to scanner: some Scanning.Scanner, _ survey: inout BeaconSurvey, isLive: Bool) async throws {
        // The time line of what is played is that of the Unix epoch.
        let writer = try capture.map { try CaptureWriter(path: $0, unixTime: \.nanoseconds) }
        var table = SurveyTable(isLive: isLive)
        for try await batch in try scanner.batches() {
            survey.add(batch)
            try writer?.append(batch)
            if isLive { table.redraw(survey, at: batch.time) }
        }
        try writer?.close()
        if !output.json { table.finish(survey) }
    }
}
