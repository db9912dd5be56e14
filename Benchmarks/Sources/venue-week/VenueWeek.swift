import Beacons
import Foundation
import Logging
import MissingList
import Monitor
import OperatingSystem
import Presence
import RegistryAPI
import Scanning
import ServiceLifecycle

/// A week in one venue at two adverts a second: measures the monitor's disk writes, and whether its memory grows.
///
/// Usage: `venue-week FOLDER [DAYS]`, a folder on a real disk. Prints one line a day and a summary as one line of JSON.
@main
enum VenueWeek {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 2, let days = Int(arguments.count > 2 ? arguments[2] : "7"), days > 0 else {
            FileHandle.standardError.write(Data("usage: venue-week FOLDER [DAYS]\n".utf8))
            exit(64)
        }
        let path = "\(arguments[1])/venue-week-\(UUID().uuidString).sqlite"
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        let unreported = UnreportedVisits()
        let outbox = try Outbox(path: path, observe: unreported.observe)
        let meter = Meter()
        let started = ContinuousClock.now
        try await run(outbox, unreported, meter, days: days)
        try await summarise(outbox, meter, days: days, took: started.duration(to: .now))
    }

    private static func run(_ outbox: Outbox, _ unreported: UnreportedVisits, _ meter: Meter, days: Int) async throws {
        let logger = Logger(label: "venue-week") { _ in SwiftLogNoOpLogHandler() }
        let signal = WakeUp()
        // The week ends now, as the registry's rules require.
        let end = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        let start = end.advanced(by: .days(-days))
        let venue = Venue(
            clock: StationClock(.system(isTrusted: true), playing: WallTimeline(ScanInstant(nanoseconds: 0), at: start))
        )
        let scanner = VenueScanner(days: days, unreported: unreported, meter: meter)
        let loop = ScanLoop(
            scanner: scanner,
            list: CurrentList(
                MissingIdentities(version: ListVersion(number: 1, mark: 1), identities: VenueScanner.missing)),
            outbox: outbox, signal: signal, presence: .standard, venue: venue, logger: logger)
        let reporter = Reporter(
            outbox: outbox, registry: AcceptingRegistry(), signal: signal, venue: venue, logger: logger)
        try await ServiceGroup(
            configuration: .init(
                services: [
                    .init(service: reporter),
                    .init(service: loop, successTerminationBehavior: .gracefullyShutdownGroup),
                ], logger: logger)
        ).run()
    }

    private static func summarise(_ outbox: Outbox, _ meter: Meter, days: Int, took: Duration) async throws {
        let summary = try await outbox.summary()
        let week = meter.days
        let whole = week.last.map { $0.written - (week.first?.written ?? 0) } ?? 0
        let megabytes = Double(whole) / 1e6 / Double(max(1, week.count - 1))
        print(
            """
            {"days": \(days), "adverts": \(meter.adverts), "visits": \(VenueScanner.visits(in: days)), \
            "seconds": \(String(format: "%.1f", took.seconds)), \
            "writtenMegabytesADay": \(String(format: "%.2f", megabytes)), \
            "residentFirstDay": \(week.dropFirst().first?.resident ?? 0), "residentLastDay": \(week.last?.resident ?? 0), \
            "waiting": \(summary.waiting)}
            """)
    }
}

/// A registry that accepts everything.
struct AcceptingRegistry: VisitReceiver {
    func report(_ batch: VisitBatch) async throws -> VisitBatchResult {
        VisitBatchResult(results: batch.visits.map { VisitResult(id: $0.id, result: .stored) })
    }
}
