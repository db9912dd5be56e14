import Beacons
import Foundation
import Logging
import MissingList
import Monitor
import Presence
import RegistryAPI
import Scanning
import Simulation

/// The monitor's way from scanner to outbox over a scenario, with the process's resident memory in each virtual minute.
///
/// Usage: `busy-street SCENARIO IDENTITIES`, the size of a missing list that is generated beside the scenario's own
/// missing bikes. Prints one line a minute, and a summary as one line of JSON.
@main
enum BusyStreet {
    static func main() async {
        do {
            try await run(CommandLine.arguments)
        } catch {
            FileHandle.standardError.write(Data("busy-street: \(error)\n".utf8))
            exit(64)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        guard arguments.count == 3, let size = UInt32(arguments[2]) else {
            throw BenchmarkError(description: "usage: busy-street SCENARIO IDENTITIES")
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("busy-street-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let scenario = try Scenario(path: arguments[1])
        let missing = scenario.beacons.filter(\.isMissing).map(\.identity)
        let list = MissingIdentities(
            version: ListVersion(number: 1, mark: 1), identities: missing.adding(generated: size)
        )
        let memory = MemoryLog(from: scenario.start)
        let outbox = try Outbox(path: folder.appendingPathComponent("outbox.sqlite").path)
        try await loop(scenario, list: list, outbox: outbox, memory: memory).run()
        try memory.summary(listed: list.count, visits: try await outbox.depth()).printAsJSON()
    }

    private static func loop(
        _ scenario: Scenario, list: MissingIdentities, outbox: Outbox, memory: MemoryLog
    ) -> ScanLoop<ObservedScanner<SimulatedScanner<ContinuousClock>>> {
        var logger = Logger(label: "busy-street") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        return ScanLoop(
            scanner: ObservedScanner(source: SimulatedScanner(scenario, pacing: .asFastAsPossible), memory: memory),
            list: CurrentList(list),
            outbox: outbox,
            signal: ReportSignal(),
            presence: .standard,
            timeline: WallTimeline(scenario.end, at: now),
            place: nil,
            logger: logger
        )
    }
}

/// Why the benchmark cannot run.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
}

extension [BeaconIdentity] {
    /// The array's identities and so many generated ones of 64 UUIDs, in order and never all in memory at once.
    fileprivate func adding(generated count: UInt32) -> some Sequence<BeaconIdentity> {
        let share = Swift.max(1, (count + 63) / 64)
        let step = UInt32.max / share
        let generated = (0..<count).lazy.map { index in
            let number = index % share * step
            return BeaconIdentity(
                uuid: ProximityUUID(high: 0, low: UInt64(index / share)),
                major: UInt16(number >> 16),
                minor: UInt16(truncatingIfNeeded: number)
            )
        }
        return [AnySequence(generated), AnySequence(sorted())].joined()
    }
}
