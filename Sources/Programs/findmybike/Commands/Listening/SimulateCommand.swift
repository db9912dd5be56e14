import ArgumentParser
import Beacons
import CommandSupport
import Foundation
import RegistryAPI
import Scanning
import Simulation
import Terminal

/// `findmybike simulate`: says what is true in a scenario, and writes what a station hears in it.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Show the contents of a scenario, and write it as a capture.",
        discussion: """
            Scenarios are in config/scenarios; bike-passes-cafe.yaml documents the format.
              findmybike simulate config/scenarios/bike-passes-cafe.yaml --output cafe.btsnoop
            """
    )

    @Argument(help: "The scenario’s file.")
    var scenario: String

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write what the station hears to a btsnoop capture.", valueName: "file")
    )
    var output: String?

    @OptionGroup var format: OutputOptions

    func run() async throws {
        let scenario = try Scenario(path: scenario)
        if let output {
            try await Progress.during("writing \(output)") {
                let writer = try CaptureWriter(path: output, unixTime: \.nanoseconds)
                for try await batch in SimulatedScanner(scenario, pacing: .asFastAsPossible).batches() {
                    try writer.append(batch)
                }
                try writer.close()
            }
            Output.remark("wrote \(output)")
        }
        if format.json { return try scenario.truth.forEach { try Output.json(Truth($0)) } }
        Output.table(
            ["BEACON", "IDENTITY", "MISSING", "IN RANGE"],
            scenario.truth.map { truth in
                let ranges = truth.inRange.map { range in
                    let from = scenario.start.duration(to: range.lowerBound).seconds
                    let to = scenario.start.duration(to: range.upperBound).seconds
                    return String(format: "%.0f s to %.0f s", from, to)
                }
                let presence = ranges.isEmpty ? "never" : ranges.joined(separator: ", ")
                return [truth.name, "\(truth.identity)", truth.isMissing ? "yes" : "no", presence]
            }
        )
    }

    /// The true values of one beacon, as JSON.
    private struct Truth: Encodable {
        struct Range: Encodable {
            let from: Timestamp
            let to: Timestamp
        }

        let name: String
        let identity: String
        let missing: Bool
        let inRange: [Range]

        init(_ truth: GroundTruth) {
            name = truth.name
            identity = "\(truth.identity)"
            missing = truth.isMissing
            inRange = truth.inRange.map { Range(from: Self.time($0.lowerBound), to: Self.time($0.upperBound)) }
        }

        private static func time(_ instant: ScanInstant) -> Timestamp {
            Timestamp(milliseconds: instant.nanoseconds / 1_000_000)
        }
    }
}
