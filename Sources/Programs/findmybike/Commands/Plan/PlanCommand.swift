import ArgumentParser
import CityPlan
import CommandSupport
import Foundation
import OperatingSystem
import Terminal

/// `findmybike plan`: plans stations for a city.
struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Choose places for stations, and say what share of stolen bikes they would hear.",
        discussion: """
            Try it with a made-up city, and write a page to hand to a council:
              findmybike plan --synthetic river --budget 25 --html plan.html
            Plan a real city, from an extract of OpenStreetMap (needs Debian’s osmium-tool):
              findmybike plan --streets city.osm.pbf --name Riverton --budget 25 --html plan.html
            The assumptions about thieves are ranges in files that you can copy and change: see --models.
            """
    )

    @OptionGroup var inputs: PlanInputs

    @Option(help: ArgumentHelp("How many new stations, 1 to 1000.", valueName: "count"))
    var budget = 25

    @Option(help: ArgumentHelp("Choose places that hear bikes within an hour, a day, a week or a month."))
    var goal = Horizon.week

    @Option(
        help: ArgumentHelp(
            "How often a beacon sends, with its unit: 20ms to 10s. By default 1s.", valueName: "interval"))
    var interval: IntervalArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How strong the beacons’ signal is at a distance of 1 m, −100 to 0.", valueName: "dBm"))
    var measuredPower: Int8 = -59

    @Option(
        help: ArgumentHelp(
            "How many bikes with a beacon are stolen in the time for which you plan, such as a year, 10 to 1000000. The "
                + "fewer, the wider the ranges.", valueName: "count"))
    var stolen = 1000

    @Option(help: ArgumentHelp("How many cities to simulate, 19 to 9999.", valueName: "count"))
    var worlds = 199

    @Option(help: ArgumentHelp("The same seed and files give the same plan.", valueName: "number"))
    var seed: UInt64 = 1

    @OptionGroup var outputs: PlanOutputs
    @OptionGroup var format: OutputOptions

    func validate() throws {
        guard (1...1000).contains(budget) else { throw ValidationError("--budget must be 1 to 1000 stations.") }
        guard (19...9999).contains(worlds) else { throw ValidationError("--worlds must be 19 to 9999.") }
        guard (10...1_000_000).contains(stolen) else { throw ValidationError("--stolen must be 10 to 1000000 bikes.") }
        guard worlds * stolen <= PlanRequest.maximumBikes else {
            throw ValidationError(
                "--worlds multiplied by --stolen must be at most \(PlanRequest.maximumBikes) bikes: reduce one.")
        }
        guard worlds * (budget + 1) <= PlanRequest.maximumCounts else {
            throw ValidationError(
                "--worlds multiplied by --budget must be less than \(PlanRequest.maximumCounts), for memory: reduce one."
            )
        }
        guard (-100...0).contains(measuredPower) else {
            throw ValidationError("--measured-power must be −100 to 0 dBm.")
        }
        guard (.milliseconds(20) ... .seconds(10)).contains(interval?.duration ?? .seconds(1)) else {
            throw ValidationError("--interval must be 20ms to 10s.")
        }
    }

    func run() async throws {
        try outputs.check(against: inputs.files)
        let contents = try await readInputs()
        let progress = PlanProgress()
        defer { progress.end() }
        progress.show(CityPlanner.Progress(activity: "finding routes", done: 0, of: 1))
        let city = try await City(contents.streets, thefts: contents.thefts, seed: seed) { progress.show($0) }
        progress.end()
        try inputs.check(contents, in: city)
        if outputs.html != nil, inputs.name == nil, !contents.isMadeUp {
            Output.remark("the page’s title says ‘\(contents.name)’: give the city’s name with --name")
        }
        let report = try await CityPlanner.plan(request(contents), for: city) { progress.show($0) }
        progress.end()
        try outputs.write(report, contents.streets)
        if format.json { return try Output.json(report) }
        show(report)
    }

    /// Reads the files, and checks that the plan fits into memory.
    private func readInputs() async throws -> PlanInputs.Contents {
        do {
            let contents = try await inputs.read(seed: seed)
            guard worlds * (contents.existing.count + 1) <= PlanRequest.maximumStationCounts else {
                throw CommandFailure(
                    .usage,
                    "--worlds multiplied by the number of existing stations must be less than "
                        + "\(PlanRequest.maximumStationCounts), for memory: reduce --worlds")
            }
            return contents
        } catch is CancellationError {
            // As a shell says it of Ctrl-C.
            throw ExitCode(130)
        }
    }

    private func request(_ contents: PlanInputs.Contents) -> PlanRequest {
        var request = PlanRequest(
            name: contents.name, candidates: contents.candidates, budget: budget, models: contents.models)
        request.isMadeUp = contents.isMadeUp
        request.existing = contents.existing
        request.vehicles = contents.vehicles
        request.experience = contents.experience
        request.interval = interval?.duration ?? .seconds(1)
        request.measuredPower = measuredPower
        request.goal = goal
        request.worlds = worlds
        request.bikes = stolen
        request.seed = seed
        return request
    }

    /// Prints the report for a person.
    private func show(_ report: PlanReport) {
        let basis = report.basis
        Output.line(
            "\(basis.city): \(Int(basis.kilometresOfStreets.rounded())) km of streets, "
                + "\(counted(basis.candidates, "possible place")), \(counted(basis.existing, "existing station")); "
                + "\(basis.worlds) simulated cities with \(basis.bikesPerWorld) stolen bikes each")
        report.warnings.forEach { Output.line("Note: \($0)") }
        for table in report.tables where !table.rows.isEmpty {
            Output.line()
            Output.line(table.title + ":")
            Output.table(table.header, table.rows)
        }
        Output.line()
        report.remarks.forEach { Output.line($0) }
        Output.line("Heard is not found: somebody has to go there, so fewer bikes come back than are heard.")
        Output.line("All figures rest on assumptions, many of which are guesses. The page of --html lists them.")
    }
}
