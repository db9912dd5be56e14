import ArgumentParser
import Beacons
import CommandSupport
import Foundation
import Presence
import RegistryAPI
import Scanning

/// `findmybike scan`: lists the beacons on the air, or in a file.
struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Show the beacons nearby, or those in a capture or a scenario.",
        discussion: """
            On a terminal the table is updated continuously; --json prints one object per beacon at the end. Press \
            Ctrl-C to stop.
              findmybike scan --near
              findmybike scan --duration 10m --capture garage.btsnoop
              findmybike scan --replay garage.btsnoop --speed max
            """
    )

    @OptionGroup var listening: ListeningOptions
    @OptionGroup var filter: FilterOptions

    @Option(help: ArgumentHelp("Also write everything that is received to a btsnoop capture.", valueName: "file"))
    var capture: String?

    @Option(help: ArgumentHelp("Stop after this time: 90s, 10m, 2h.", valueName: "duration"))
    var duration: DurationArgument?

    @Flag(help: "List every beacon at the end, even those heard only once.")
    var all = false

    @OptionGroup var options: CallOptions

    func run() async throws {
        let isWatched = !options.json && Output.isTerminal
        let source = try await listening.source(isWatched: isWatched)
        let own = options.json ? [:] : await OwnBikes.names(options.registry)
        let survey = try await untilInterrupted { [self] in try await listen(to: source, isWatched: isWatched, own) }
        if let trouble = source.trouble() { Output.remark(trouble) }
        if options.json { try SurveyReport(survey, filter.filter, unixTime: source.unixTime).print() }
    }

    /// Listens to the end, and shows what is heard on a terminal.
    ///
    /// - Parameter own: the names of the user's bikes.
    private func listen(
        to source: ListeningSource, isWatched: Bool, _ own: [BeaconIdentity: String]
    ) async throws -> BeaconSurvey {
        let writer = try capture.map { try CaptureWriter(path: $0, unixTime: source.unixTime) }
        var survey = BeaconSurvey()
        var table = SurveyTable(filter.filter, isLive: isWatched, listsAll: all, own: own)
        try await source.listen(for: duration?.duration) { batch in
            survey.add(batch)
            try writer?.append(batch)
            if isWatched { table.redraw(survey, at: batch.time, trouble: source.trouble()) }
        }
        try writer?.close()
        if !options.json { table.finish(survey) }
        return survey
    }
}
