import ArgumentParser
import CommandSupport
import Foundation
import Monitor
import MonitorConfiguration
import RegistryAPI
import Settings
import StationStatus
import StatusSocket
import Terminal

/// Shows the visits that are waiting in the outbox and those that the registry refused, whether or not the monitor is
/// running.
struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Show the waiting visits, and those that the registry refused as invalid, with its reasons.",
        discussion: """
            Changes nothing. Run it as the monitor’s user:
              sudo -u findmybike-monitor findmybike-monitor outbox
            """
    )

    /// The parent command, for `--config` and `--state`.
    @ParentCommand var monitor: MonitorCommand

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let settings = try monitor.readSettings()
        let path = "\(settings.value(MonitorSettings.stateFolder))/outbox.sqlite"
        var contents: OutboxContents
        do {
            contents = try await OutboxContents(readFrom: path)
        } catch let error as OutboxError {
            throw CommandFailure(.noInput, error.description)
        }
        if let report = await runningMonitor(settings, path) { contents.use(report) }
        if output.json { try Output.json(contents) } else { Output.painted(contents.text) }
    }

    /// The status of the monitor that uses this outbox; nil if none is running, or this user may not query it.
    private func runningMonitor(_ settings: ProgramSettings, _ path: String) async -> StatusReport? {
        guard let client = try? StatusClient(socket: settings.value(MonitorSettings.statusSocket)),
            let report = try? await client.report()
        else { return nil }
        func standard(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
        return report.outbox.path.map(standard) == standard(path) ? report : nil
    }
}

extension OutboxContents {
    /// Takes over the numbers of the running monitor.
    fileprivate mutating func use(_ report: StatusReport) {
        waiting = report.outbox.waiting
        open = report.outbox.open
        awaitingPlace = report.outbox.awaitingPlace
        awaitingClock = report.outbox.awaitingClock
        awaitingConsent = report.consent.pending
        isOfRunningMonitor = true
    }

    /// The text for people: numbers, and a line for each visit that the registry refused.
    fileprivate var text: [String] {
        var lines = [
            "Visits waiting for the registry: \(waiting), for consent: \(awaitingConsent), for a place: \(awaitingPlace), "
                + "for the clock: \(awaitingClock); in progress: \(open).",
            isOfRunningMonitor
                ? "According to the running monitor."
                : "Read from the disk. If a monitor is running, ‘findmybike venue status’ is more recent.",
        ]
        lines += tally.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        lines += damagedFiles.map { "A damaged outbox was set aside: \($0)" }
        guard !setAside.isEmpty else { return lines + ["The registry has refused none."] }
        let table = Table(
            ["VISIT", "LAST SEEN", "BEACON", "REASON"],
            setAside.map {
                ["\($0.visit.id)", LocalTime.text(of: $0.visit.lastSeen), "\($0.visit.identity)", $0.reason]
            })
        return lines + [""] + table.lines(width: Output.width, style: Output.style)
    }
}
