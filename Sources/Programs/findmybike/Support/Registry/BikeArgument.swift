import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient

/// One of the owner's bikes, named as briefly as is unambiguous.
struct BikeArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Part of make and model, or the beginning of the identifier. Not needed with a single bike.",
            valueName: "bike"
        )
    )
    var bike: String?

    /// The bike with that name; the only one if no name is given.
    ///
    /// - Throws: ``CommandFailure`` if no bike has the name, or several have it.
    func find(at registry: RegistryConnection) async throws -> Bike { try await Self.find(bike, at: registry) }

    /// The bike, for a command about a missing bike: if several are registered and no name is given, the only missing
    /// one is used, and its name is printed.
    func findMissing(at registry: RegistryConnection) async throws -> Bike {
        try await find(at: registry, preferring: { $0.openReport != nil }) { "using \($0), your missing bike" }
    }

    /// The bike, for the test of a beacon: if no name is given, the only one with a beacon to test.
    func findPending(at registry: RegistryConnection) async throws -> Bike {
        try await find(at: registry, preferring: { $0.pending != nil })
    }

    /// - Parameters:
    ///   - isMeant: selects bikes if no name is given; if there is none of them, all count.
    ///   - remark: makes a remark from the name of the bike that was selected.
    private func find(
        at registry: RegistryConnection, preferring isMeant: (Bike) -> Bool, remark: ((String) -> String)? = nil
    ) async throws -> Bike {
        guard bike == nil else { return try await find(at: registry) }
        let bikes = try await registry.allBikes()
        let meant = bikes.filter(isMeant)
        guard bikes.count > 1, let only = meant.first, meant.count == 1 else {
            return try Self.pick(nil, among: meant.isEmpty ? bikes : meant)
        }
        if let remark { Output.remark(remark("\(only.make) \(only.model)")) }
        return only
    }

    /// - Parameter bike: part of make and model, or the beginning of an identifier; nil for the only bike.
    static func find(_ bike: String?, at registry: RegistryConnection) async throws -> Bike {
        if let bike, let id = BikeID(bike) {
            return try await registry.bike(id)
        }
        return try pick(bike, among: try await registry.allBikes())
    }

    private static func pick(_ bike: String?, among bikes: [Bike]) throws(CommandFailure) -> Bike {
        guard !bikes.isEmpty else {
            throw CommandFailure(.dataError, "you have no bikes yet: ‘findmybike bike register’ adds one")
        }
        return try Choice(noun: "bike", list: "findmybike bike list", id: { "\($0.id)" }) {
            ["\($0.make) \($0.model)", $0.model]
        }.pick(bike, among: bikes)
    }
}

extension RegistryConnection {
    /// All bikes of the owner, and those that others share with them.
    func allBikes() async throws -> [Bike] {
        try await RegistryConnection.all { try await self.bikes(after: $0) }
    }
}
