import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient
import Terminal

struct ReportListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List a bike’s missing reports.",
        discussion: "  findmybike report list brompton")

    @OptionGroup var argument: BikeArgument
    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let bike = try await argument.findMissing(at: registry)
        let reports = try await RegistryConnection.all { try await registry.reports(on: bike.id, after: $0) }
        if options.json { return try reports.forEach { try Output.json($0) } }
        guard !reports.isEmpty else { return Output.line("\(bike.make) \(bike.model) was never marked missing.") }
        let short = ShortIdentifiers(reports.map { "\($0.id)" })
        Output.table(
            ["ID", "MISSING SINCE", "REPORTED BY", "STATE", "POLICE", "HELD UNTIL"],
            reports.map { report in
                [
                    short.text("\(report.id)"), report.missingSince.local,
                    report.openedBy ?? (bike.role == nil ? "you" : "the owner"), Self.state(of: report),
                    [report.policeForce, report.policeReference].compactMap { $0 }.joined(separator: " "),
                    report.heldUntil?.local ?? "",
                ]
            },
            tone: { $0.contains("nobody has looked") ? .alarm : nil }
        )
        if let remedy = reports.lazy.compactMap(\.endedSearchRemedy).first {
            Output.line("\(bike.make) \(bike.model): \(remedy)")
        }
    }

    private static func state(of report: MissingReport) -> String {
        if let closure = report.closure {
            let recoverer = closure.recoveredBy.map { " by \($0.rawValue)" } ?? ""
            return closure.outcome.words + recoverer
        }
        if let ended = report.searchEnded { return "open, but nobody has looked for it since \(ended.local)" }
        if let until = report.sightingsUntil { return "open, sightings until \(until.local)" }
        return "open until \(report.expires.local)"
    }
}
