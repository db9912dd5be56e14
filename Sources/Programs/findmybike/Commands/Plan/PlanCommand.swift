import ArgumentParser
import CityPlan
import CommandLines
import Foundation
import OperatingSystem
import Terminal

struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Choose places for stations, and say what share of stolen bikes they would hear.",
        discussion: """
            A trial with a city that is made up, and a page to hand to a council:
              findmybike plan --synthetic river --budget 25 --html plan.html
            A real city, from an extract of OpenStreetMap (needs Debian’s osmium-tool):
              findmybike plan --streets city.osm.pbf --budget 25 --html plan.html
            The assumptions are ranges in files that you can copy and change: --models.
            """
    )

    @OptionGroup var inputs: PlanInputs

    @Option(help: ArgumentHelp("The number of new stations, 1 to 1000.", valueName: "count"))
    var budget = 25

    @Option(help: ArgumentHelp("Choose places that hear bikes within this time: hour, day, week or month."))
    var goal = Horizon.week

    @Option(help: ArgumentHelp("The beacons’ advertising interval, 20ms to 10s; by default 1s.", valueName: "duration"))
    var interval: DurationArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The beacons’ signal strength at 1 m, −100…0.", valueName: "dBm"))
    var measuredPower: Int8 = -59

    @Option(
        help: ArgumentHelp(
            "The number of bikes with a beacon that are stolen in the time for which the intervals hold.",
            valueName: "count"))
    var stolen = 1000

    @Option(
        help: ArgumentHelp(
            "The number of cities to simulate, 19 to 9999: 199 give exact intervals of 90 %.", valueName: "count"))
    var worlds = 199

    @Option(help: ArgumentHelp("The seed: the same seed gives the same plan.", valueName: "number"))
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Write a page for people, complete in one file.", valueName: "file"))
    var html: String?

    @Option(name: .customLong("geojson"), help: ArgumentHelp("Write the places for maps.", valueName: "file"))
    var geoJSON: String?

    @OptionGroup var format: OutputOptions

    func validate() throws {
        guard (1...1000).contains(budget) else { throw ValidationError("--budget must be 1 to 1000 stations.") }
        guard (19...9999).contains(worlds) else { throw ValidationError("--worlds must be 19 to 9999.") }
        guard (10...1_000_000).contains(stolen) else { throw ValidationError("--stolen must be 10 to 1000000 bikes.") }
        guard (-100...0).contains(measuredPower) else {
            throw ValidationError("--measured-power must be −100…0 dBm.")
        }
        guard (.milliseconds(20) ... .seconds(10)).contains(interval?.duration ?? .seconds(1)) else {
            throw ValidationError("--interval must be 20ms to 10s.")
        }
    }

    func run() async throws {
        let inputs = try await inputs.read(seed: seed)
        var request = PlanRequest(
            name: inputs.name, candidates: inputs.candidates, budget: budget, models: inputs.models)
        request.existing = inputs.existing
        request.vehicles = inputs.vehicles
        request.experience = inputs.experience
        request.interval = interval?.duration ?? .seconds(1)
        request.measuredPower = measuredPower
        request.goal = goal
        request.worlds = worlds
        request.bikes = stolen
        request.seed = seed
        let shown = PlanProgress()
        defer { shown.end() }
        shown.show(CityPlanner.Progress(activity: "finding routes", done: 0, of: 1))
        let city = try await City(inputs.streets, thefts: inputs.thefts, seed: seed)
        let report = try await CityPlanner.plan(request, for: city) { shown.show($0) }
        shown.end()
        try write(report, inputs.streets)
        if format.json { return try Output.json(report) }
        show(report)
    }

    private func write(_ report: PlanReport, _ streets: StreetNetwork) throws {
        let access = FileAccess(mode: 0o644)
        if let html {
            try DurableFile.put(Array(CouncilPage(report, streets: streets).html.utf8), at: html, access)
            Output.remark("wrote \(html)")
        }
        if let geoJSON {
            try DurableFile.put(Array(report.geoJSON()), at: geoJSON, access)
            Output.remark("wrote \(geoJSON)")
        }
    }

    private func show(_ report: PlanReport) {
        let basis = report.basis
        Output.line(
            "\(basis.city): \(Int(basis.kilometresOfStreets.rounded())) km of streets, \(basis.candidates) possible "
                + "places, \(counted(basis.existing, "existing station")), "
                + "\(basis.worlds) × \(basis.bikesPerWorld) stolen bikes")
        for table in report.tables where !table.rows.isEmpty {
            Output.line()
            Output.line(table.title + ":")
            Output.table(table.header, table.rows)
        }
        Output.line()
        report.remarks.forEach { Output.line($0) }
        Output.line("Only assumptions, many of them guesses, stand behind these figures: --html lists them.")
    }
}
