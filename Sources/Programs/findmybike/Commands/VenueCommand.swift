import ArgumentParser
import CommandSupport
import MonitorCommands
import RegistryAPI
import StationStatus
import StatusSocket
import Terminal

/// `findmybike venue …`: what staff and technicians do with the monitor on this machine.
struct VenueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "venue",
        abstract: "Use the monitor on this machine.",
        subcommands: [
            Status.self, Pending.self, Confirm.self, Dismiss.self, Seen.self, Absent.self, VenueDisplayCommand.self,
        ]
    )

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the monitor’s state.",
            discussion: """
                Status 75: the registry cannot be reached or refuses this station.
                  findmybike venue status
                """)

        @OptionGroup var options: VenueOptions
        @OptionGroup var format: OutputOptions

        func run() async throws {
            let status = try await options.connect().ask { try await $0.report() }
            if format.json {
                try Output.json(status)
            } else {
                StatusText(status).lines.forEach { Output.line($0) }
            }
            if status.outage != nil { throw ExitCode(ExitStatus.temporaryFailure.rawValue) }
        }
    }

    struct Pending: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the visits that are waiting for your consent.",
            discussion: """
                With the monitor’s setting ‘report: ask’, a visit is reported only after you agree.
                  findmybike venue pending
                """
        )

        @OptionGroup var options: VenueOptions
        @OptionGroup var format: OutputOptions

        func run() async throws {
            let visits = try await options.connect().ask { try await $0.pending() }
            if format.json { return try Output.json(visits) }
            guard !visits.isEmpty else { return Output.line("No visits are waiting for consent.") }
            Output.table(
                ["VISIT", "BEACON", "FIRST SEEN", "LAST SEEN", "FRAMES", "HERE"],
                visits.map {
                    [
                        $0.id, $0.beacon, LocalTime.text(of: $0.firstSeen), LocalTime.text(of: $0.lastSeen),
                        "\($0.frames)", $0.isPresent ? $0.proximity.rawValue : "gone",
                    ]
                })
        }
    }

    struct Confirm: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Agree to the report of a visit and the rest of its stay.",
            discussion: "  findmybike venue confirm all")

        @OptionGroup var answer: VenueAnswer

        func run() async throws { try await answer.give(isAgreed: true, "will be reported") }
    }

    struct Dismiss: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete a visit and the rest of its stay without a report.",
            discussion: "  findmybike venue dismiss 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203")

        @OptionGroup var answer: VenueAnswer

        func run() async throws { try await answer.give(isAgreed: false, "will not be reported") }
    }
}

extension VenueCommand {
    struct Seen: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answer an alarm: you see the bike.",
            discussion: """
                The owner learns that someone has seen it. Do not confront anyone.
                  findmybike venue seen 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203
                """
        )

        @OptionGroup var answer: AlarmAnswer

        func run() async throws { try await answer.give(isSeen: true) }
    }

    struct Absent: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answer an alarm: you have looked, and the bike is not there.",
            discussion: "  findmybike venue absent 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203"
        )

        @OptionGroup var answer: AlarmAnswer

        func run() async throws { try await answer.give(isSeen: false) }
    }
}

/// The arguments of both answers to an alarm.
struct AlarmAnswer: ParsableArguments {
    @Argument(help: ArgumentHelp("As ‘findmybike venue status’ shows it.", valueName: "visit"))
    var visit: String

    @OptionGroup var options: VenueOptions
    @OptionGroup var format: OutputOptions

    /// Gives the answer to the monitor, and prints what happens next.
    func give(isSeen: Bool) async throws {
        let monitor = try options.connect()
        let alarms = try await monitor.ask { try await $0.report() }.alarms.recent.map(\.visit)
        let visit = try Self.visit(visit, among: alarms)
        try await monitor.ask { try await $0.answer(visit, isSeen: isSeen) }
        if format.json { return try Output.json(["visit": visit, "answer": isSeen ? "seen" : "absent"]) }
        Output.line(
            "The registry will learn that the bike \(isSeen ? "was seen" : "was not there"). You can change this.")
    }

    /// The visit that a text identifies. A full identifier is passed on to the monitor, because the status contains
    /// only the latest alarms.
    private static func visit(_ text: String, among alarms: [String]) throws(CommandFailure) -> String {
        guard VisitID(text) == nil else { return text }
        return try Choice(noun: "alarm", list: "findmybike venue status", id: { $0 }) { _ in [] }
            .pick(text, among: alarms)
    }
}

/// The arguments shared by confirming and dismissing.
struct VenueAnswer: ParsableArguments {
    @Argument(help: ArgumentHelp("As ‘findmybike venue pending’ shows it, or ‘all’.", valueName: "visit"))
    var visit: String

    @OptionGroup var options: VenueOptions
    @OptionGroup var format: OutputOptions

    /// Gives the answer to the monitor, and prints the outcome.
    ///
    /// - Parameter outcome: what becomes of a visit, as the end of a sentence.
    func give(isAgreed: Bool, _ outcome: String) async throws {
        let monitor = try options.connect()
        let visits = try await visits(monitor)
        var answered: [String] = []
        for visit in visits {
            do {
                try await monitor.ask { try await $0.answer(visit, isAgreed: isAgreed) }
                answered.append(visit)
            } catch let failure as CommandFailure where failure.status == .dataError && self.visit == "all" {
                continue  // its stay was answered with the previous visit
            }
        }
        if format.json { return try Output.json(answered) }
        guard !answered.isEmpty else { return Output.line("No visits are waiting for consent.") }
        for visit in answered { Output.line("Visit \(visit) \(outcome).") }
    }

    /// The identifiers of the visits that the argument means.
    private func visits(_ monitor: VenueMonitor) async throws -> [String] {
        guard visit == "all" || VisitID(visit) == nil else { return [visit] }
        let pending = try await monitor.ask { try await $0.pending() }.map(\.id)
        guard visit != "all" else { return pending }
        return [
            try Choice(noun: "visit", list: "findmybike venue pending", id: { $0 }) { _ in [] }
                .pick(visit, among: pending)
        ]
    }
}
