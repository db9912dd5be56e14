import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct BikeFoundCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "found",
        abstract: "Close a bike’s missing report: stations stop searching for it.",
        discussion: "  findmybike bike found brompton --by police"
    )

    @OptionGroup var closing: ClosingOptions

    func run() async throws { try await closing.run() }
}

/// The outcome with which a missing report is closed.
struct ClosingOptions: ParsableArguments {
    @OptionGroup var argument: BikeArgument

    @Option(help: "recovered, false-alarm or given-up.")
    var outcome: ReportOutcome = .recovered

    @Option(help: "The person who recovered it: owner, police, venue, finder or other.")
    var by: Recoverer?

    @Option(help: "How it came back, or why it is given up.")
    var note: String?

    @OptionGroup var options: CallOptions

    func validate() throws {
        guard ReportClosure.ownersOutcomes.contains(outcome) else {
            throw ValidationError("Only the registry lets a report expire: choose recovered, false-alarm or given-up.")
        }
        guard by == nil || outcome == .recovered else {
            throw ValidationError("--by is only for a bike that was recovered.")
        }
    }

    func run() async throws {
        let registry = try options.connect()
        let bike = try await argument.findMissing(at: registry)
        guard let report = bike.openReport else {
            throw CommandFailure(.dataError, "\(bike.make) \(bike.model) is not marked missing")
        }
        let closure = ReportClosure(outcome: outcome, recoveredBy: by, note: note)
        let closed = try await registry.closeReport(report, on: bike.id, closure)
        try options.show(closed, "The report on \(bike.make) \(bike.model) is closed: \(outcome.words).")
    }
}
