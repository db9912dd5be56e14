import ArgumentParser
import Beacons
import CommandLines
import Foundation
import RegistryAPI
import RegistryClient

struct BikeShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one bike.",
        discussion: "  findmybike bike show brompton")

    @OptionGroup var argument: BikeArgument
    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let bike = try await argument.find(at: registry)
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
