import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient

/// `findmybike bike missing`: opens a missing report.
struct BikeMissingCommand: OneBikeCommand {
    static let configuration = CommandConfiguration(
        commandName: "missing",
        abstract: "Mark a bike missing: every station searches for it.",
        discussion: """
            Tell the police too, and add their reference.
              findmybike bike missing brompton --since "yesterday 18:30" --police-reference 4471/26
            """
    )

    @OptionGroup var argument: BikeArgument

    @Option(help: ArgumentHelp("When it was last safe, as in 2h ago or 18:30; by default now.", valueName: "time"))
    var since: Timestamp?

    @OptionGroup var details: ReportDetails

    @Flag(help: "Only this registry’s stations search, and none of its partners’.")
    var onlyHere = false

    @OptionGroup var options: CallOptions

    func run(on bike: Bike, at registry: RegistryConnection) async throws {
        let draft = MissingReportDraft(
            missingSince: since, lastPlace: details.place, policeReference: details.policeReference,
            policeForce: details.policeForce, note: details.note, onlyHere: onlyHere ? true : nil
        )
        let report = try await registry.openReport(on: bike.id, draft)
        if options.json { return try Output.json(report) }
        let isHeard = report.isSearchedFor && report.unheard != true
        let ending = isHeard ? ": every station is searching for it." : "."
        Output.line("\(bike.make) \(bike.model) has been missing since \(report.missingSince.local)\(ending)")
        if report.unheard == true { Output.line("\(bike.make) \(bike.model): \(Bike.unreadableRemedy)") }
        if let remark = report.searchRemark { Output.line(remark) }
        let channels = try await registry.allChannels()
        if channels.isEmpty {
            let offered = try await registry.owner().channelKinds
            Output.line("Nothing can alert you yet: \(ChannelAddCommand.advice(offered))")
        } else if !channels.contains(where: \.isUsable) {
            Output.line(
                "Nothing can alert you now: none of your channels works. ‘findmybike channel list’ shows why.")
        }
    }
}

extension MissingReport {
    /// Whether a search began when the report opened.
    fileprivate var isSearchedFor: Bool { sightingsUntil.map { $0 > opened } ?? true }

    /// When the search ends and what to do about it; nil if it does not end.
    fileprivate var searchRemark: String? {
        guard let until = sightingsUntil else { return nil }
        let edit = "‘findmybike report edit --police-reference …’ adds it."
        guard isSearchedFor else {
            return MissingReport.isReference(policeReference)
                ? "No station searches for it: ask the registry’s operator to confirm the reference of report \(id)."
                : "No station searches for it without a police reference: \(edit)"
        }
        if newBeacon == true {
            return "The beacon was new, so we search until \(until.local), and longer once the registry’s operator has "
                + "confirmed a police reference: \(edit)"
        }
        return MissingReport.isReference(policeReference)
            ? "We search until \(until.local), and longer if the registry’s operator confirms the police reference."
            : "Without a police reference we search until \(until.local): \(edit)"
    }
}

/// `findmybike bike found`: closes the missing report.
struct BikeFoundCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "found",
        abstract: "Close a bike’s missing report: stations stop searching for it.",
        discussion: "  findmybike bike found brompton --by police"
    )

    @OptionGroup var closing: ClosingOptions

    func run() async throws { try await closing.run() }
}

/// The options of the commands that close a missing report, and what they do.
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

    /// Closes the open report of the bike.
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
