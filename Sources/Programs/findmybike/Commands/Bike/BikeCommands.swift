import ArgumentParser
import Beacons
import CommandSupport
import Foundation
import RegistryAPI
import RegistryClient
import Terminal

struct BikeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bike",
        abstract: "Your bikes and their beacons.",
        subcommands: [
            BikeRegisterCommand.self, BikeListCommand.self, BikeShowCommand.self, BikeEditCommand.self,
            BikeMissingCommand.self, BikeFoundCommand.self, BikeSightingsCommand.self, BikeHistoryCommand.self,
            BikeBeaconCommand.self, BikeTestCommand.self, BikePhotoCommand.self, BikeTransferCommand.self,
            BikeTakeCommand.self, BikeEraseCommand.self, BikeCheckCommand.self,
        ]
    )
}

struct BikeListCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List your bikes, and those that others share with you.",
        discussion: "  findmybike bike list --json")

    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let bikes = try await RegistryConnection.all { try await registry.bikes(after: $0) }
        if options.json { return try bikes.forEach { try Output.json($0) } }
        guard !bikes.isEmpty else { return Output.line("No bikes yet: ‘findmybike bike register’ adds one.") }
        let short = ShortIdentifiers(bikes.map { "\($0.id)" })
        let isSharing = bikes.contains { $0.role != nil }
        let searches = try await OpenSearches(of: bikes, at: registry)
        Output.table(
            ["ID", "BIKE", "COLOURS", "BEACON", "STATE"] + (isSharing ? ["YOUR ROLE"] : []),
            cells: bikes.map { Self.row($0, searches[$0], short, isSharing: isSharing) })
        searches.remark(on: bikes)
        for bike in bikes { if let remark = bike.unreadableRemark { Output.line(remark) } }
    }

    private static func row(
        _ bike: Bike, _ search: MissingReport?, _ short: ShortIdentifiers, isSharing: Bool
    ) -> [Table.Cell] {
        let isUnreadable = bike.rotation?.isUnreadable == true
        var row = [
            Table.Cell(short.text("\(bike.id)")), Table.Cell("\(bike.make) \(bike.model)"),
            Table.Cell(bike.colours.map(\.rawValue).joined(separator: "/")),
            Table.Cell(bike.beaconText, isUnreadable ? .alarm : nil),
            Table.Cell(bike.stateText(search), bike.openReport == nil ? nil : .alarm),
        ]
        if isSharing { row.append(Table.Cell(bike.role?.rawValue ?? "owner")) }
        return row
    }
}

struct BikeShowCommand: OneBikeCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one bike.",
        discussion: "  findmybike bike show brompton")

    @OptionGroup var argument: BikeArgument
    @OptionGroup var options: CallOptions

    func run(on bike: Bike, at registry: RegistryConnection) async throws {
        if options.json { return try Output.json(bike) }
        let searches = try await OpenSearches(of: [bike], at: registry)
        Output.details([
            ("Bike", "\(bike.make) \(bike.model) (\(bike.kind.rawValue))"),
            ("Identifier", "\(bike.id)"),
            ("Your role", bike.role.map { "\($0.rawValue); the bike is somebody else’s" }),
            ("Colours", bike.colours.map(\.rawValue).joined(separator: ", ")),
            ("Year", bike.year.map(String.init)),
            ("Beacon", bike.beaconText),
            ("  UUID", bike.rotation == nil ? "\(bike.identity.uuid)" : nil),
            ("  Major", bike.rotation == nil ? "\(bike.identity.major)" : nil),
            ("  Minor", bike.rotation == nil ? "\(bike.identity.minor)" : nil),
            ("  Name", bike.rotation.map { _ in "\(bike.identity), the registry’s name for it; it is never sent" }),
            ("  Checked", bike.rotation.map { $0.checked.local }),
            ("  As given", bike.pending?.claimed.map { "\($0), which the operator has not accepted" }),
            ("Tested", bike.test?.heard.map { "heard at \($0.local)" }),
            ("Parked", bike.parked.map { "\($0.place.latitude), \($0.place.longitude)" }),
            ("State", bike.stateText(searches[bike])),
            ("Report", bike.openReport.map { "\($0)" }),
            ("Serial", bike.serial),
            ("VIN", bike.vin),
            ("Engine", bike.engineNumber),
            ("Plate", bike.plate),
            ("Buyers", bike.allowsBuyerCheck ? "can check these numbers while the bike is missing" : nil),
            ("Notes", bike.notes),
            ("Inspection", bike.upkeep?.inspectionDue.map { "due \($0)" }),
            ("Insurance", bike.upkeep?.insuranceEnds.map { "until \($0)" }),
            ("Tax", bike.upkeep?.taxDue.map { "due \($0)" }),
            ("Breakdown", bike.upkeep?.breakdownCover),
            ("Battery", bike.upkeep?.batteryText),
            ("Registered", bike.created.local),
        ])
        searches.remark(on: [bike])
        if let remark = bike.unreadableRemark { Output.line(remark) }
    }
}

extension BikeUpkeep {
    fileprivate var breakdownCover: String? {
        joined([breakdownCoverEnds.map { "until \($0)" }, breakdownCoverNumber])
    }

    fileprivate var batteryText: String? {
        joined([battery?.rawValue, batteryFitted.map { "fitted \($0)" }, batteryMonths.map { "lasts \($0) months" }])
    }

    private func joined(_ parts: [String?]) -> String? {
        let parts = parts.compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

struct BikeHistoryCommand: OneBikeCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show what happened to a bike and its beacon.",
        discussion: "  findmybike bike history brompton"
    )

    @OptionGroup var argument: BikeArgument
    @OptionGroup var options: CallOptions

    func run(on bike: Bike, at registry: RegistryConnection) async throws {
        let events = try await RegistryConnection.all { try await registry.history(of: bike.id, after: $0) }
        try options.output.list(events, ["TIME", "WHAT", "BEACON SINCE THEN", "A STRANGER’S WORDS"]) { event in
            let words = [event.message, event.contact].compactMap { $0 }.joined(separator: " · ")
            return [event.time.local, event.event.words, event.identity?.text(rotating: event.rotating) ?? "", words]
        }
    }
}

struct BikeEraseCommand: OneBikeCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase a bike with its reports and sightings. Its beacon’s identity is never used again.",
        discussion: "  findmybike bike erase brompton"
    )

    @OptionGroup var argument: BikeArgument
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var recovery: RecoveryOptions
    @OptionGroup var options: CallOptions

    func run(on bike: Bike, at registry: RegistryConnection) async throws {
        try confirmation.confirm("Permanently erase \(bike.make) \(bike.model) (\(bike.id))?")
        try await registry.eraseBike(bike.id, recoveryCode: recovery.recoveryCode)
        try options.show(["erased": "\(bike.id)"], "\(bike.make) \(bike.model) was erased.")
    }
}
