import ArgumentParser
import Foundation
import Monitor
import MonitorConfiguration
import RegistryAPI
import Settings
import Terminal

/// Shows what waits in the outbox and what the registry would not take, while the monitor runs or not.
struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Show the visits that wait, and those that the registry calls invalid, with its reasons.",
        discussion: """
            Changes nothing. Run it as the monitor’s user:
              sudo -u findmybike-monitor findmybike-monitor outbox
            """
    )

    /// Takes `--config` and `--state`.
    @ParentCommand var monitor: MonitorCommand

    @Flag(help: "Print JSON, for programs.")
    var json = false

    func run() async throws {
        do {
            let settings = try monitor.readSettings()
            let path = "\(settings.value(MonitorSettings.stateFolder) ?? "")/outbox.sqlite"
            let contents = try await OutboxContents(readFrom: path)
            print(json ? try JSONText.line(contents) : contents.text.joined(separator: "\n"))
        } catch let failure as MonitorFailure {
            throw failure.told()
        } catch let error as OutboxError {
            throw MonitorFailure(66, error.description).told()
        }
    }
}

extension OutboxContents {
    /// For people: numbers, and a line for each visit that was set aside.
    fileprivate var text: [String] {
        var lines = [
            "\(waiting) visits wait for the registry, \(awaitingConsent) for consent, \(awaitingPlace) for a place, "
                + "\(awaitingClock) for the clock; \(open) go on."
        ]
        lines += tally.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        lines += damagedFiles.map { "A damaged outbox was set aside: \($0)" }
        guard !setAside.isEmpty else { return lines + ["The registry has refused none."] }
        let environment = ProcessInfo.processInfo.environment
        let table = Table(
            ["VISIT", "LAST SEEN", "BEACON", "REASON"],
            setAside.map {
                ["\($0.visit.id)", LocalTime.text(of: $0.visit.lastSeen), "\($0.visit.identity)", $0.reason]
            })
        let style = Style(environment, isTerminal: isatty(STDOUT_FILENO) == 1)
        return lines + [""] + table.lines(width: TerminalSize.now(environment)?.columns, style: style)
    }
}
